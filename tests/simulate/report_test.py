"""The page and the bytes of `muster simulate`: what it may load, how large it is, that it repeats.

    report_test.py MUSTER
"""

import base64
import hashlib
import html.parser
import os
import re
import subprocess
import sys
import tempfile
import unittest

from world import CLUSTER, log_of

MUSTER = sys.argv[1]
VOID = {"meta", "br"}


class Outline(html.parser.HTMLParser):
    """Tags that are opened and closed in turn, and which there were."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()


class Report(unittest.TestCase):
    """Two queues, three policies, a log whose names try to be markup."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.first = cls.simulate("one")
        cls.second = cls.simulate("two")
        cls.page = cls.first["page"].decode()

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def simulate(cls, name):
        """What one call prints and writes."""
        path = os.path.join(cls.folder.name, name)
        os.mkdir(path)
        for file, text in (("cluster.yaml", CLUSTER), ("jobs.csv", log_of(600))):
            with open(os.path.join(path, file), "w", encoding="utf-8") as out:
                out.write(text)
        policies = os.path.join(os.path.dirname(__file__), "../../policies")
        done = subprocess.run(
            [MUSTER, "simulate", "-f", "cluster.yaml", "--jobs", "jobs.csv", "--columns",
             "submit=at,run=seconds,size=gpus,queue=team,id=job", "--policy", "native",
             "--policy", os.path.join(policies, "small-first"), "--policy",
             os.path.join(policies, "aging"), "--seeds", "4", "--report", "page.html",
             "--each-job", "each.csv", "-o", "json"],
            cwd=path, check=True, capture_output=True)
        files = {}
        for file in ("page.html", "each.csv"):
            with open(os.path.join(path, file), "rb") as written:
                files[file] = written.read()
        return {"json": done.stdout, "page": files["page.html"], "each": files["each.csv"]}

    def test_the_same_inputs_give_the_same_bytes(self):
        self.assertEqual(self.first, self.second)

    def test_it_is_one_small_file_that_loads_and_runs_nothing(self):
        self.assertLess(len(self.first["page"]), 1_000_000)
        outline = Outline()
        outline.feed(self.page)
        self.assertEqual(outline.open, [])
        self.assertFalse(outline.seen & {"script", "link", "img", "iframe", "object", "form"})
        self.assertFalse({name for name in outline.attributes
                          if name.startswith("on") or name in ("style", "src")})

    def test_a_link_leads_to_the_story_of_a_job_on_the_same_page(self):
        links = set(re.findall('href="([^"]*)"', self.page))
        stories = set(re.findall('<dt id="([^"]*)"', self.page))
        self.assertGreater(len(links), 5)
        self.assertEqual(links, {"#" + story for story in stories})
        for story in re.findall("<dd>(.*?)</dd>", self.page, re.DOTALL):
            self.assertEqual(story.count("<br>"), 3, story)  # as many as there are policies

    def test_its_style_is_the_one_that_its_policy_allows(self):
        style = re.search("<style>(.*?)</style>", self.page, re.DOTALL).group(1)
        allowed = re.search(r"style-src '(sha256-[^']*)'", self.page).group(1)
        self.assertEqual(
            allowed,
            "sha256-" + base64.b64encode(hashlib.sha256(style.encode()).digest()).decode())
        self.assertIn("default-src 'none'", self.page)

    def test_names_of_the_log_stay_text(self):
        self.assertNotIn("<b>team", self.page)
        self.assertIn("<b>team", self.first["each"].decode())

    def test_it_says_what_is_gained_first(self):
        headline = self.page.index("start earlier")
        self.assertLess(headline, self.page.index("<table"))
        for part in ("Where waits change", "How long jobs wait", "What each queue used",
                     "How even it was", "The worst hour", "Is it chance?", "Jobs that moved most",
                     "The jobs that are named"):
            self.assertIn(part, self.page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
