"""A real Prometheus that scrapes a service, and promtool about the example's rules."""

import json
import os
import socket
import subprocess
import unittest
import urllib.parse
import urllib.request

from service import ServiceTest, workload

EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples",
                       "observability")


def free_port():
    """One that nothing listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class LongPrometheus(ServiceTest):
    """Debian's, with the example's configuration but for ports and a shorter interval."""

    def start(self, token=None):
        """Prometheus, once it is ready."""
        with open(os.path.join(EXAMPLE, "prometheus.yaml"), encoding="utf-8") as file:
            config = file.read()
        config = config.replace("127.0.0.1:8484", f"127.0.0.1:{self.server.port}")
        config = config.replace("scrape_interval: 15s",
                                "scrape_interval: 200ms\n  evaluation_interval: 200ms")
        config = config.replace("- alerts.yaml", "- " + os.path.join(EXAMPLE, "alerts.yaml"))
        if token:
            path = os.path.join(self.folder, "muster.token")
            with open(path, "w", encoding="utf-8") as file:
                file.write(token)
            config = config.replace("# authorization: {credentials_file: muster.token}",
                                    f"authorization: {{credentials_file: {path}}}")
        path = os.path.join(self.folder, "prometheus.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(config)
        self.port = free_port()
        process = subprocess.Popen(
            ["prometheus", "--config.file=" + path, f"--web.listen-address=127.0.0.1:{self.port}",
             "--storage.tsdb.path=" + os.path.join(self.folder, "prometheus")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

    def asked(self, path, **query):
        """What its API answers; None: not yet."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?" + urllib.parse.urlencode(query)
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return json.load(answer)["data"]
        except OSError:
            return None

    def value(self, expression):
        """Of a query that gives one number."""
        data = self.asked("query", query=expression)
        return float(data["result"][0]["value"][1]) if data and data["result"] else None

    def health(self):
        """Of all rules: "unknown" until they were asked, "err" where they cannot be."""
        return {rule["health"] for group in self.asked("rules")["groups"]
                for rule in group["rules"]}

    def wait_for_value(self, expression, value):
        """Until the query gives that."""
        self.server.wait_for(lambda: self.value(expression) == value, seconds=60)

    def test_it_hears_what_the_queues_hold_and_each_expression_can_be_asked(self):
        self.apply_queues()
        self.submit(workload("one", "3"), workload("two", "3"), workload("three", "3"))
        self.server.wait_for(lambda: list(self.server.states().values()).count("admitted") == 2)
        self.start()
        self.wait_for_value('up{job="muster"}', 1)
        self.wait_for_value('kueue_admitted_active_workloads{cluster_queue="team-a-cq"}', 2)
        self.assertEqual(self.value('sum(kueue_pending_workloads{cluster_queue="team-a-cq"})'), 1)
        self.server.wait_for(lambda: self.health() == {"ok"}, seconds=60)
        with open(os.path.join(EXAMPLE, "dashboard.json"), encoding="utf-8") as file:
            panels = json.load(file)["panels"]
        asked = [target["expr"] for panel in panels for target in panel.get("targets", [])]
        self.assertGreater(len(asked), 10)
        for expression in asked:
            self.assertIsNotNone(self.asked("query", query=expression), expression)
        self.server.stop()
        self.wait_for_value('up{job="muster"}', 0)
        self.server.verify()

    def test_promtool_takes_rules_and_configuration(self):
        for words in (["check", "config", os.path.join(EXAMPLE, "prometheus.yaml")],
                      ["check", "rules", os.path.join(EXAMPLE, "alerts.yaml")],
                      ["test", "rules", os.path.join(EXAMPLE, "alerts_test.yaml")]):
            done = subprocess.run(["promtool", *words], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
