"""What Prometheus is told: Kueue's names and labels, in its text format."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from pathlib import Path

from service import QUEUES, ServiceTest, muster, workload

sys.path.insert(0, str(Path(__file__).parents[1] / "testing"))
from racks import two_by_two  # pylint: disable=wrong-import-position

LINE = re.compile(r'([a-zA-Z_:][\w:]*)(?:\{((?:\w+="(?:[^"\\\n]|\\.)*",?)*)\})? (\S+)')


class Metrics(ServiceTest):
    """A service with two teams and some jobs."""

    def scrape(self):
        """Series to value; the text is well formed, each family together and once."""
        answer = self.server.ask("GET", "/metrics")
        self.assertEqual(answer.status, 200)
        self.assertTrue(answer.fields["content-type"].startswith("text/plain; version=0.0.4"))
        series, families, current = {}, set(), None
        for line in answer.body.decode().splitlines():
            if line.startswith("# HELP "):
                current = line.split(" ")[2]
                self.assertNotIn(current, families)
                families.add(current)
            elif not line.startswith("# TYPE "):
                match = LINE.fullmatch(line)
                self.assertTrue(match, line)
                name = re.sub("_(bucket|sum|count)$", "", match.group(1))
                self.assertIn(current, (name, match.group(1)), line)
                key = match.group(1) + "{" + (match.group(2) or "") + "}"
                self.assertNotIn(key, series)
                series[key] = float(match.group(3))
        if shutil.which("promtool"):
            checked = subprocess.run(["promtool", "check", "metrics"], input=answer.body,
                                     capture_output=True, check=False)
            self.assertEqual(checked.returncode, 0, checked.stderr)
        return series

    def test_gauges_are_what_the_queues_hold(self):
        self.apply_queues()
        self.submit(workload("one", "3"), workload("two", "3"), workload("three", "3"))
        self.server.wait_for(lambda: self.server.states()["two"] == "admitted")
        series = self.scrape()
        self.assertEqual(series['kueue_pending_workloads{cluster_queue="team-a-cq",'
                                'status="inadmissible"}'] +
                         series['kueue_pending_workloads{cluster_queue="team-a-cq",'
                                'status="active"}'], 1)
        self.assertEqual(series['kueue_admitted_active_workloads{cluster_queue="team-a-cq"}'], 2)
        pair = '{cohort="all",cluster_queue="team-a-cq",flavor="default",resource="cpu"}'
        self.assertEqual(series["kueue_cluster_queue_nominal_quota" + pair], 4)
        self.assertEqual(series["kueue_cluster_queue_resource_reservation" + pair], 6)
        self.assertEqual(series["muster_cluster_queue_borrowed" + pair], 2)
        self.assertEqual(series['kueue_cohort_subtree_quota{cohort="all",flavor="default",'
                                'resource="cpu"}'], 8)
        self.assertEqual(series['kueue_cluster_queue_status{cluster_queue="team-a-cq",'
                                'status="active"}'], 1)
        self.assertGreater(series["muster_ledger_bytes{}"], 0)

    def test_a_job_that_a_policy_holds_back_is_counted_once(self):
        package = os.path.join(self.folder, "keep")
        os.mkdir(package)
        with open(os.path.join(package, "policy.lua"), "w", encoding="utf-8") as file:
            file.write("return { api = 1, name = 'keep', hold = function(w, c)\n"
                       "  if w.name == 'later' then return c.hold('not today') end\nend }\n")
        ledger = os.path.join(self.folder, "held.ledger")
        for words, text in ((("apply", "-f", "-"), QUEUES),
                            (("submit", "-f", "-"), json.dumps(workload("later"))),
                            (("policy", "activate", package, "--untested"), None),
                            (("schedule", "--until-idle"), None)):
            told = muster(*words, "--db", ledger, text=text)
            self.assertEqual(told[0], 0, told)
        self.server = self.serve(db="held.ledger")
        series = self.scrape()
        for status, count in (("active", 0), ("inadmissible", 1)):
            self.assertEqual(series['kueue_pending_workloads{cluster_queue="team-a-cq",'
                                    f'status="{status}"}}'], count, status)

    def test_counters_count_what_happened(self):
        self.apply_queues()
        self.submit(workload("low", "4"), workload("other", "4", ns="team-b"))
        self.server.wait_for(lambda: self.server.states()["low"] == "admitted")
        self.submit(workload("high", "4", priority=10))
        self.server.wait_for(lambda: self.scrape().get(
            'kueue_preempted_workloads_total{preempting_cluster_queue="team-a-cq",'
            'reason="InClusterQueue"}') == 1)
        done = self.server.ask("POST", "/v1/commands", {
            "command": "evicted", "workloads": [{"namespace": "team-a", "name": "low"}]})
        self.assertEqual(done.status, 200, done.body)
        self.server.wait_for(lambda: self.server.states()["high"] == "admitted")
        self.server.ask("POST", "/v1/commands", {
            "command": "finish", "workloads": [{"namespace": "team-a", "name": "high"}]})
        labels = '{cluster_queue="team-a-cq",priority_class=""}'
        series = self.scrape()
        self.assertEqual(series["kueue_finished_workloads_total" + labels], 1)
        self.assertGreaterEqual(series["kueue_admitted_workloads_total" + labels], 2)
        self.assertEqual(series['kueue_evicted_workloads_total{cluster_queue="team-a-cq",'
                                'reason="Preempted",underlying_cause="",priority_class=""}'], 1)
        self.assertGreaterEqual(series["kueue_quota_reserved_wait_time_seconds_count" + labels], 2)

    def apply(self, text):
        """Manifests, which must be taken."""
        answer = self.server.ask("POST", "/v1/apply", text, {"Content-Type": "application/yaml"})
        self.assertEqual(answer.status, 200, answer.body)

    def test_the_largest_gang_is_told_by_level_and_follows_jobs_and_nodes(self):
        def largest():
            series = self.scrape()
            return [series[f'muster_largest_gang{{topology="dc",level="{level}"}}']
                    for level in ("block", "rack")]
        self.apply(two_by_two())
        self.assertEqual(largest(), [4, 2])
        self.submit(workload("one", ns="ml", queue="q", cpu="3"),
                    workload("two", ns="ml", queue="q", cpu="3"))
        self.server.wait_for(lambda: self.server.states("ml") == dict.fromkeys(
            ("one", "two"), "admitted"))
        self.assertEqual(largest(), [2, 2])
        self.apply(two_by_two(cordoned=True))
        self.assertEqual(largest(), [0, 0])
        self.apply(two_by_two())
        done = self.server.ask("POST", "/v1/commands", {"command": "finish", "workloads": [
            {"namespace": "ml", "name": name} for name in ("one", "two")]})
        self.assertEqual(done.status, 200, done.body)
        self.assertEqual(largest(), [4, 2])

    def test_the_heat_map_says_how_full_each_host_is(self):
        self.apply(two_by_two())
        self.submit(workload("one", ns="ml", queue="q", cpu="1"))
        self.server.wait_for(lambda: self.server.states("ml") == {"one": "admitted"})
        (topology,) = self.server.ask("GET", "/v1/heat").json["topologies"]
        self.assertEqual((topology["name"], topology["resources"]), ("dc", ["cpu"]))
        self.assertEqual([domain["path"] for domain in topology["domains"]],
                         [["b"], ["b", "r0"], ["b", "r1"]])
        self.assertEqual(topology["largestGangs"][1], {"level": "rack", "nodes": 2,
                                                       "domain": "b/r1"})
        self.assertEqual([(host["name"], host["used"])
                          for domain in topology["domains"] for host in domain["below"]],
                         [("r0h0", 25), ("r0h1", 0), ("r1h0", 0), ("r1h1", 0)])
        text = self.server.ask("GET", "/v1/top").body.decode()
        self.assertIn("  b/r0 1/2 :.\n  b/r1 2/2 ..\n", text)
        self.assertNotIn("\x1b", text)
        painted = self.server.ask("GET", "/v1/top?colour=true").body.decode()
        self.assertIn("\x1b[32m:\x1b[0m", painted)

    def test_a_plan_of_moves_is_printed_as_the_verb_prints_it(self):
        self.apply(two_by_two())
        for output, kind in (("json", "application/json"), ("table", "text/plain")):
            answer = self.server.ask("GET", f"/v1/defrag?level=rack&output={output}")
            self.assertEqual(answer.status, 200, answer.body)
            self.assertTrue(answer.fields["content-type"].startswith(kind))
        plan = self.server.ask("GET", "/v1/defrag?output=json").json
        self.assertEqual((plan["before"], plan["moves"]), ({"nodes": 2, "domain": "b/r0"}, []))
        refused = self.server.ask("GET", "/v1/defrag?level=hall&output=json")
        self.assert_refused(refused, 404, "hall")
        self.apply("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: other}\n"
                   "spec: {levels: [{nodeLabel: x}, {nodeLabel: y}]}\n")
        self.assert_refused(self.server.ask("GET", "/v1/defrag"), 400, "dc, other")
        self.assert_refused(self.server.ask("GET", "/v1/defrag?topology=none"), 404, "none")

    def test_a_queue_may_have_no_quota_and_a_service_nothing(self):
        self.assertIn('kueue_admission_attempts_total{result="success"}', self.scrape())


class LongMetrics(ServiceTest):
    """Of many queues."""

    def test_a_scrape_of_a_thousand_queues_is_quick(self):
        objects = [{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
                    "metadata": {"name": "f"}}]
        for number in range(1000):
            objects.append({
                "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ClusterQueue",
                "metadata": {"name": f"q{number}"},
                "spec": {"cohortName": f"c{number % 50}", "namespaceSelector": {},
                         "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
                             {"name": "f", "resources": [{"name": "cpu", "nominalQuota": 1}]}]}]}})
        answer = self.server.ask("POST", "/v1/apply", {"apiVersion": "v1", "kind": "List",
                                                       "items": objects})
        self.assertEqual(answer.status, 200, answer.body[:500])
        self.server.ask("GET", "/metrics")
        begin = time.monotonic()
        self.server.ask("GET", "/metrics")
        seconds = time.monotonic() - begin
        print(f"{seconds * 1000:.1f} ms for 1,000 queues")
        self.assertLess(seconds, 1)


if __name__ == "__main__":
    unittest.main()
