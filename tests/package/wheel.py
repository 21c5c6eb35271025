"""Makes the Python wheel from a fresh clone, as `make wheel` does, and uses it in a fresh venv.

  wheel.py WORK

The wheel is for every Python 3 of this system, brings its library, and needs nothing else from this
tree. pip fetches the build tool scikit-build-core, which Debian 12 has not: where it cannot, the
test is skipped (77), but fails in CI.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
USES = """
import muster
with muster.Engine() as engine:
    assert engine.apply("{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, "
                        "metadata: {name: default}}") == ["created"]
print(muster.__version__, muster.__file__)
"""
# No library or package but those of the wheel.
CLEAN = {name: value for name, value in os.environ.items()
         if name not in ("MUSTER_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH")}
# Beside other tests; by itself the build starts more compilers than there are processors.
CLEAN.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))


def run(*words, **more):
    done = subprocess.run(words, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=CLEAN, **more)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def need_build_tool(python, folder):
    """Skips where pip cannot fetch what the build needs."""
    asked = subprocess.run([python, "-m", "pip", "download", "-q", "--no-deps", "-d", folder,
                            "scikit-build-core>=0.9"], check=False, text=True, env=CLEAN,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if asked.returncode != 0:
        print(f"pip cannot fetch scikit-build-core; the test needs PyPI\n{asked.stdout}")
        sys.exit(1 if "CI" in os.environ else 77)


def venv(folder):
    run(sys.executable, "-m", "venv", folder)
    return os.path.join(folder, "bin", "python3")


def main():
    work = os.path.abspath(sys.argv[1])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    builds = venv(os.path.join(work, "builds"))
    need_build_tool(builds, os.path.join(work, "download"))
    clone = os.path.join(work, "clone")
    run("git", "clone", "--quiet", "--no-hardlinks", TOP, clone)
    wheels = os.path.join(work, "wheel")
    run(builds, "-m", "pip", "wheel", "--no-deps", "-w", wheels,
        os.path.join(clone, "bindings", "python"))
    made = os.listdir(wheels)
    if len(made) != 1 or not re.fullmatch(r"muster-[\d.]+-py3-none-linux_\w+\.whl", made[0]):
        sys.exit(f"made {made}, and not one wheel for every Python 3 of this system")
    wheel = os.path.join(wheels, made[0])
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
    for needed in ("muster/__init__.py", "muster/py.typed", "muster/libmuster.so.1"):
        if needed not in names:
            sys.exit(f"{made[0]} has no {needed}: {names}")
    shutil.rmtree(clone)
    uses = venv(os.path.join(work, "uses"))
    run(uses, "-m", "pip", "install", "-q", "--no-index", wheel)
    said = run(uses, "-c", USES, cwd=work)
    if os.path.join(work, "uses") not in said:
        sys.exit(f"another package was imported: {said}")
    print(made[0], said)
    shutil.rmtree(work)


if __name__ == "__main__":
    main()
