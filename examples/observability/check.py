"""Every series that the dashboard and the alerts ask for is one that a service tells.

    check.py METRICS     METRICS: what GET /metrics answered

With promtool (Debian's prometheus) the files are checked by it, too.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

import make_dashboard

HERE = pathlib.Path(__file__).parent
NAME = re.compile(r"\b(?:kueue|muster)_\w+")


def main():
    told = set(re.findall(r"^# TYPE (\S+)", pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"),
                          re.MULTILINE))
    dashboard = (HERE / "dashboard.json").read_text(encoding="utf-8")
    if json.loads(dashboard) != make_dashboard.dashboard():
        sys.exit("dashboard.json is not what make_dashboard.py writes")
    asked = {re.sub("_bucket$", "", name)
             for text in (dashboard, (HERE / "alerts.yaml").read_text(encoding="utf-8"))
             for name in NAME.findall(text)}
    if asked - told:
        sys.exit("no service tells " + ", ".join(sorted(asked - told)))
    if shutil.which("promtool"):
        subprocess.run(["promtool", "check", "config", str(HERE / "prometheus.yaml")], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["promtool", "check", "metrics"], check=True, stdout=subprocess.DEVNULL,
                       stdin=open(sys.argv[1], "rb"))
    print(f"dashboard and alerts ask for {len(asked)} families, and the service tells them all")


if __name__ == "__main__":
    main()
