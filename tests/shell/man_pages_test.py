"""The manual: a page for each verb, with all that its help tells."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

MUSTER = os.environ["MUSTER"]


def said(*words):
    return subprocess.run([MUSTER, *words], check=True, capture_output=True, text=True).stdout


def plain(roff):
    """Text of a page, in one line."""
    text = re.sub(r"^\.(?:TH|PP|TP|nf|fi|RS|RE).*$", "", roff, flags=re.MULTILINE)
    text = re.sub(r"^\.(?:B|I|SH|BR) ", "", text, flags=re.MULTILINE)
    return " ".join(text.replace("\\-", "-").replace("\\&", "").replace("\\e", "\\").split())


class ManPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            said("man", os.path.join(folder, "man"))
            cls.pages = {path.name: path.read_text(encoding="utf-8")
                         for path in Path(folder, "man").iterdir()}

    def test_every_verb_of_the_top_help_has_one(self):
        names = re.findall(r"^  ([a-z]+(?:-[a-z]+)*(?: [a-z]+)?)  +\S", said("--help"),
                           re.MULTILINE)
        verbs = {name for name in names if name != "muster"}
        self.assertGreater(len(verbs), 40)
        pages = {"muster-" + verb.replace(" ", "-") + ".1" for verb in verbs}
        self.assertEqual(set(self.pages), pages | {"muster.1"})

    def test_a_page_tells_what_help_tells(self):
        for verb in ("schedule", "get", "policy check", "ledger verify", "serve"):
            page = plain(self.pages["muster-" + verb.replace(" ", "-") + ".1"])
            for line in said(*verb.split(), "--help").splitlines():
                words = " ".join(line.split()).lstrip("# ")
                if words in ("Usage", "Examples", "Options", "Words",
                             "A service instead of a ledger"):
                    continue
                for part in words.split("  "):
                    self.assertIn(part.removeprefix(f"muster {verb}: "), page + " muster " + verb)

    def test_requests_begin_lines_only_where_they_are_meant(self):
        known = {"TH", "SH", "PP", "TP", "B", "I", "BR", "nf", "fi", "RS", "RE"}
        for name, page in self.pages.items():
            for line in page.splitlines():
                if line.startswith("."):
                    self.assertIn(line[1:].split(" ")[0], known, name)
                self.assertFalse(line.startswith("'"), name)


if __name__ == "__main__":
    unittest.main()
