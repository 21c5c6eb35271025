"""The page in a real browser: Chromium without a window, driven by Selenium.

With MUSTER_PICTURES=FOLDER each look is kept there as a picture.
"""

import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

from service import ServiceTest, manifest_list, workload

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from racks import RACKS, host  # pylint: disable=wrong-import-position

WIDTHS = (1280, 400)
MOST_BYTES = 200_000
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-dev-shm-usage", "--disable-background-networking", "--disable-sync",
         "--disable-component-update", "--hide-scrollbars")


class LongPage(ServiceTest):
    """Rendered at two widths, light and dark, clicked through, and with a keyboard alone."""

    def begin(self):
        packages = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "policies")
        shutil.copytree(os.path.join(packages, "aging"), os.path.join(self.folder, "p", "aging"))
        self.server = self.serve("--policies", os.path.join(self.folder, "p"))
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        profile = tempfile.TemporaryDirectory()
        self.addCleanup(profile.cleanup)
        for flag in (*FLAGS, f"--user-data-dir={profile.name}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.addCleanup(self.browser.quit)
        self.browser.set_script_timeout(60)

    def open(self, path="#/", width=WIDTHS[0], scheme="light"):
        """That page of the service, anew."""
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{self.server.port}/{path}")

    def until(self, condition, what):
        """Waits for that."""
        WebDriverWait(self.browser, 30, 0.1).until(lambda _: condition(), what)

    def content(self):
        """The text that is shown."""
        return self.browser.execute_script("return document.getElementById('content').innerText")

    def shows(self, *texts):
        """Waits until the page has them."""
        self.until(lambda: all(text in self.content() for text in texts), f"{texts} on the page")

    def click(self, text):
        """Follows the first link of that name. The page may be drawn anew between two calls."""
        found = self.browser.execute_script(
            "const link = [...document.querySelectorAll('#content a, nav a')]"
            ".find((each) => each.textContent === arguments[0]);"
            "if (link) link.click(); return Boolean(link);", text)
        self.assertTrue(found, f"no link {text!r} in {self.content()!r}")

    def press(self, *keys):
        """Types them, wherever the focus is."""
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def focus(self):
        """What has it, as its text."""
        return self.browser.execute_script("return document.activeElement.textContent.trim()")

    def picture(self, name):
        """What is seen, as PNG."""
        shot = self.browser.get_screenshot_as_png()
        folder = os.environ.get("MUSTER_PICTURES")
        if folder:
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(shot)
        return shot

    def check(self, name, width=WIDTHS[0]):
        """Nothing went wrong in the browser, and nothing stands out of the window."""
        self.assertEqual(self.browser.get_log("browser"), [], name)
        wide = self.browser.execute_script("return document.documentElement.scrollWidth")
        self.assertLessEqual(wide, width, name)
        return self.picture(name)

    def story(self):
        """Two teams; of the jobs of one two run, and one waits."""
        self.apply_queues()
        self.submit(workload("first", "3"), workload("second", "3"), workload("waits", "3"))
        self.server.wait_for(lambda: list(self.server.states().values()).count("admitted") == 2)

    def racks(self):
        """A rack of one host and one of two, and no job is on them."""
        text = RACKS + host("r0", "h0") + host("r1", "h0") + host("r1", "h1")
        answer = self.server.ask("POST", "/v1/apply", text, {"Content-Type": "application/yaml"})
        self.assertEqual(answer.status, 200, answer.body)

    def test_every_page_fits_both_widths_and_both_schemes(self):
        self.story()
        self.racks()
        for path, texts in (("#/", ["team-a-cq", "2 run, 1 wait", "waits"]),
                            ("#/queue/team-a-cq", ["6 of 4, 2 borrowed", "Running", "Waiting"]),
                            ("#/workload/team-a/waits",
                             ["What would help", "Look ahead", "What has happened to it"]),
                            ("#/workload/team-a/first", ["Admitted", "What has happened to it"]),
                            ("#/places", ["Most nodes without a workload in one rack: 2 in b/r1."]),
                            ("#/places/none", ["There is no Topology none that has nodes."]),
                            ("#/%E0%A4%A", ["team-a-cq"]),
                            ("#/policies", ["aging", "queue_order", "Fuel"])):
            for width in WIDTHS:
                seen = {}
                for scheme in ("light", "dark"):
                    self.open(path, width, scheme)
                    self.shows(*texts)
                    self.assertNotIn("null", self.content())
                    page = path.strip("#/").replace("/", "-").replace("%", "") or "cluster"
                    name = f"{page}-{width}-{scheme}"
                    seen[scheme] = self.check(name, width)
                self.assertNotEqual(seen["light"], seen["dark"])

    def test_a_click_leads_from_a_queue_to_what_would_help_a_job(self):
        self.story()
        self.open()
        self.shows("team-a-cq")
        self.click("team-a-cq")
        self.shows("ClusterQueue team-a-cq", "team-a/waits")
        self.click("team-a/waits")
        self.shows("insufficient unused quota", "Submitted")
        self.browser.find_element(By.ID, "ask-eta").click()
        self.shows("EXPECTED-START")
        self.browser.find_element(By.ID, "priority").send_keys("100")
        self.browser.find_element(By.ID, "ask-what-if").click()
        self.shows("Nothing was written")
        self.check("answers")
        self.click("Policies")
        self.shows("Active policies")
        self.click("Cluster")
        self.shows("Quota", "team-b-cq")
        self.check("back")

    def test_a_keyboard_is_enough(self):
        self.story()
        self.open("#/queue/team-a-cq")
        self.shows("team-a/waits")
        self.press(Keys.TAB)
        self.assertEqual(self.focus(), "Skip to content")
        self.press(Keys.ENTER)
        for _ in range(30):
            self.press(Keys.TAB)
            if self.focus() == "team-a/waits":
                break
        self.assertEqual(self.focus(), "team-a/waits")
        self.press(Keys.ENTER)
        self.shows("Look ahead")
        for _ in range(30):
            self.press(Keys.TAB)
            if self.focus() == "When will it start?":
                break
        self.press(Keys.ENTER)
        self.shows("EXPECTED-START")
        self.assertEqual(self.focus(), "When will it start?")

    def test_what_has_happened_to_a_job_grows_while_it_is_shown(self):
        self.story()
        self.open("#/workload/team-a/first")
        self.shows("What has happened to it", "Admitted")
        self.assertNotIn("Finished", self.content())
        self.server.ask("POST", "/v1/commands", {"command": "finish", "workloads": [
            {"namespace": "team-a", "name": "first"}]})
        self.shows("Finished")

    def test_what_is_decided_appears_by_itself_and_silence_is_said(self):
        self.story()
        self.open()
        self.shows("2 run, 1 wait")
        self.server.ask("POST", "/v1/commands", {"command": "finish", "workloads": [
            {"namespace": "team-a", "name": "first"}]})
        self.shows("2 run, 0 wait")
        self.server.kill()
        age = self.browser.find_element(By.ID, "age")
        self.until(lambda: "the service does not answer" in age.text, "that it does not answer")
        self.server = self.serve()

    def test_an_empty_service_says_what_is_missing(self):
        self.open()
        self.shows("No ClusterQueue was applied yet.")
        self.check("nothing")

    def test_it_is_one_small_file(self):
        self.story()
        self.open()
        self.shows("team-a-cq")
        self.assertLess(len(self.server.ask("GET", "/").body), MOST_BYTES)
        loaded = self.browser.execute_script(
            "return performance.getEntriesByType('resource').map((each) => new URL(each.name))"
            ".map((each) => each.pathname)")
        self.assertTrue(loaded)
        self.assertEqual([path for path in loaded if not path.startswith("/v1/")], [])

    def test_a_thousand_queues_and_a_hundred_thousand_that_wait(self):
        self.apply_queues()
        group = [{"coveredResources": ["cpu"], "flavors": [
            {"name": "default", "resources": [{"name": "cpu", "nominalQuota": 1}]}]}]
        meta = {"apiVersion": "kueue.x-k8s.io/v1beta2"}
        objects = []
        for i in range(1000):
            objects.append({**meta, "kind": "ClusterQueue", "metadata": {"name": f"q-{i:04}"},
                            "spec": {"cohortName": f"division-{i % 20:02}", "namespaceSelector": {},
                                     "resourceGroups": group}})
            objects.append({**meta, "kind": "LocalQueue",
                            "metadata": {"name": f"q-{i:04}", "namespace": "team-a"},
                            "spec": {"clusterQueue": f"q-{i:04}"}})
        self.assertEqual(self.server.ask("POST", "/v1/apply", manifest_list(objects)).status, 200)
        for part in range(20):
            jobs = [workload(f"job-{part:02}-{i:04}", "60", queue=f"q-{i % 1000:04}")
                    for i in range(5000)]
            answer = self.server.ask("POST", "/v1/submit", manifest_list(jobs))
            self.assertEqual(answer.status, 200, answer.body[:300])
        for width in WIDTHS:
            self.open(width=width)
            shown = self.browser.execute_async_script(
                "const done = arguments[arguments.length - 1];"
                "const look = () => document.querySelector('ul.tree li li')"
                " ? done(performance.now()) : requestAnimationFrame(look); look();")
            print(f"1,000 queues and 100,000 jobs: at {width} the tree stands after {shown:.0f} ms")
            self.shows("1002 ClusterQueues; 0 workloads run, 100000 wait.")
            self.check(f"large-{width}", width)


if __name__ == "__main__":
    unittest.main()
