"""Every command of docs/embedding.md, one after the other, as a reader would type them."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]


@pytest.mark.skipif("MUSTER" not in os.environ, reason="$MUSTER does not name the command")
def test_every_command_of_the_page(tmp_path: Path) -> None:
    page = (TOP / "docs/embedding.md").read_text("utf-8")
    script = "set -e\n" + "".join(re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    tools = tmp_path / "bin"
    tools.mkdir()
    shutil.copy(os.environ["MUSTER"], tools / "muster")
    (tools / "python3").symlink_to(sys.executable)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}",
                   "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(["bash", "-c", script], cwd=TOP, env=environment, text=True, timeout=100,
                         capture_output=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert '{"created": 0}' in ran.stdout
    assert "clean: " in ran.stdout


def test_the_code_of_the_page_is_that_of_the_example() -> None:
    page = (TOP / "docs/embedding.md").read_text("utf-8")
    gateway = (TOP / "examples/gateway/gateway.py").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    for line in "".join(blocks).splitlines():
        assert line.strip() in gateway
