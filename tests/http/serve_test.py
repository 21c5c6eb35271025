"""What the service answers: objects in, decisions made by themselves, views out."""

import http.client
import json
import resource
import subprocess
import threading
import time
import unittest

from service import IN_TIME, MUSTER, ServiceTest, manifest_list, workload


class Answers(ServiceTest):
    """One service, asked as a gateway would."""

    def test_what_is_wrong_about_a_stop_is_said_and_changes_nothing(self):
        self.apply_queues()
        for body, word in (({}, "stopPolicy"), ({"stopPolicy": "no", "queues": [{"name": "x"}]},
                                                "HoldAndDrain"),
                           ({"stopPolicy": "Hold", "queues": []}, "empty"),
                           ({"stopPolicy": "Hold", "queues": [{"nam": "x"}]}, "name"),
                           ({"stopPolicy": "Hold", "queues": ["x"]}, "name"),
                           ({"stopPolicy": "Hold", "queues": [{"name": "team-a-cq"}] * 2},
                            "queue team-a-cq is named twice"),
                           ('{"stopPolicy": "Hold", "queues": [{"name": "team-a-cq"}], '
                            '"stopPolicy": "None"}', "a key is given twice"),
                           (b'{"stopPolicy": "Hold", "queues": [{"name": "\xff"}]}', "UTF-8")):
            answer = self.server.ask("POST", "/v1/stop-policy", body)
            self.assert_refused(answer, 400, word)
            self.assertEqual(answer.json["place"], {"in": "body"})
        self.assertNotIn("Hold", self.server.ask("GET", "/v1/clusterqueues").body.decode(),
                         "what is refused changes nothing")
        self.assertEqual(self.server.status_of_length("/v1/stop-policy", (1 << 20) + 1), 413)
        self.assert_refused(self.server.ask("POST", "/v1/stop-policy", {
            "stopPolicy": "None", "queues": [{"name": "team-b-cq"}, {"name": "team-x-cq"}]}), 404)

    def test_health_readiness_version_and_description_are_told(self):
        self.assertEqual(self.server.ask("GET", "/healthz").json, {"status": "ok"})
        self.assertEqual(self.server.ask("GET", "/readyz").json, {"status": "ready"})
        version = subprocess.run([MUSTER, "version", "-o", "json"], capture_output=True, check=True)
        self.assertEqual(self.server.ask("GET", "/version").json, json.loads(version.stdout))
        text = self.server.ask("GET", "/openapi.yaml")
        self.assertEqual(text.fields["content-type"], "application/yaml")
        self.assertIn(b"openapi: 3.1.0", text.body)

    def test_what_is_submitted_starts_by_itself(self):
        self.apply_queues()
        self.submit(workload("first", "3"), workload("second", "3"), workload("third", "3"))
        self.server.wait_for(lambda: self.server.states() == {
            "first": "admitted", "second": "admitted", "third": "pending"})

    def test_what_ends_makes_room(self):
        self.apply_queues()
        self.submit(workload("first", "8"), workload("second", "8"))
        self.server.wait_for(lambda: self.server.states()["first"] == "admitted")
        answer = self.server.ask("POST", "/v1/commands", {
            "command": "finish", "workloads": [{"namespace": "team-a", "name": "first"}]})
        self.assertEqual((answer.status, answer.json), (200, {"answer": "done"}))
        self.server.wait_for(lambda: self.server.states() == {"first": "finished",
                                                              "second": "admitted"})

    def test_a_set_that_is_scaled_to_nothing_gives_its_quota_back(self):
        self.apply_queues()

        def apply(replicas):
            container = {"name": "c", "resources": {"requests": {"cpu": "1"}}}
            return self.server.ask("POST", "/v1/apply", {
                "apiVersion": "apps/v1", "kind": "StatefulSet",
                "metadata": {"name": "web", "namespace": "team-a",
                             "labels": {"kueue.x-k8s.io/queue-name": "main"}},
                "spec": {"replicas": replicas, "template": {"spec": {"containers": [container]}}}})

        self.assertEqual(apply(2).status, 200)
        self.server.wait_for(lambda: "admitted" in self.server.states().values())
        answer = apply(0)
        self.assertEqual(answer.status, 200, answer.body)
        self.assertIn("is held back", answer.json["warnings"][0]["message"])

        def evicted():
            item, = self.server.ask("GET", "/v1/workloads?namespace=team-a").json["items"]
            return any(each["type"] == "Evicted" and each["status"] == "True"
                       for each in item["status"]["conditions"])

        self.server.wait_for(evicted)
        self.assertEqual(apply(0).status, 200)
        early = apply(2)
        self.assertEqual(early.status, 400, early.body)
        self.assertIn("spec.replicas cannot be 2 again", early.json["message"])
        name, = self.server.states()
        gone = {"command": "evicted", "workloads": [{"namespace": "team-a", "name": name}]}
        self.assertEqual(self.server.ask("POST", "/v1/commands", gone).status, 200)
        self.assertEqual(apply(2).json["objects"],
                         [{"kind": "Workload", "name": f"team-a/{name}", "result": "changed"}])
        self.server.wait_for(lambda: self.server.states() == {name: "admitted"})

    def test_a_job_whose_status_fails_validation_is_on_hold_until_that_changes(self):
        self.apply_queues()
        container = {"name": "c", "image": "x", "resources": {"requests": {"cpu": "1"}}}
        job = {"apiVersion": "ray.io/v1", "kind": "RayJob",
               "metadata": {"name": "sweep", "namespace": "team-a",
                            "labels": {"kueue.x-k8s.io/queue-name": "main"}},
               "spec": {"submissionMode": "HTTPMode", "shutdownAfterJobFinishes": True,
                        "rayClusterSpec": {"headGroupSpec": {
                            "rayStartParams": {}, "template": {"spec": {
                                "containers": [container]}}}}}}
        self.submit(job)
        self.server.wait_for(lambda: list(self.server.states().values()) == ["admitted"])
        name, = self.server.states()

        def observe(status):
            told = self.server.ask("POST", "/v1/observe",
                                   {**job, "status": {"jobDeploymentStatus": status}})
            self.assertEqual(told.status, 200, told.body)
            return [each["result"] for each in told.json["objects"]]

        self.assertIn("on hold", observe("ValidationFailed"))
        self.assertEqual(self.server.states(), {name: "pending"})
        shown = self.server.ask("GET", f"/v1/workloads/team-a/{name}").json
        self.assertIs(shown["spec"]["active"], False)
        self.assertEqual(shown["metadata"]["annotations"]["muster.dev/on-hold"], "ValidationFailed")
        self.assertEqual(observe("ValidationFailed"), ["unchanged"])
        self.assertIn("queued", observe("Initializing"))
        self.server.wait_for(lambda: self.server.states() == {name: "admitted"})

    def test_an_imported_job_is_submitted_without_its_uid(self):
        self.apply_queues()
        imported = workload("job-train-f09b8")
        imported["metadata"]["labels"] = {"kueue.x-k8s.io/job-uid": "u1"}
        self.assertEqual(self.server.ask("POST", "/v1/apply", imported).status, 200)
        job = {"apiVersion": "batch/v1", "kind": "Job",
               "metadata": {"name": "train", "namespace": "team-a",
                            "labels": {"kueue.x-k8s.io/queue-name": "main"}},
               "spec": {"template": {"spec": {"containers": [
                   {"name": "c", "image": "x", "resources": {"requests": {"cpu": "1"}}}]}}}}
        other = json.loads(json.dumps(job).replace("train", "other"))
        self.submit(other)
        again = workload("job-late-f09b8")
        again["metadata"]["labels"] = {"kueue.x-k8s.io/job-uid": "u2"}
        self.assertEqual(self.server.ask("POST", "/v1/apply", again).status, 200)
        self.submit(job, json.loads(json.dumps(job).replace("train", "late")))
        self.assertEqual(sorted(self.server.states()),
                         ["job-late-f09b8", "job-other", "job-train-f09b8"])

    def test_saying_it_twice_is_unchanged_and_another_spec_is_a_conflict(self):
        first = self.apply_queues()
        self.assertEqual({each["result"] for each in first.json["objects"]}, {"created"})
        again = self.apply_queues()
        self.assertEqual({each["result"] for each in again.json["objects"]}, {"unchanged"})
        self.submit(workload("train"))
        self.assertEqual(self.submit(workload("train")).json["objects"],
                         [{"kind": "Workload", "name": "team-a/train", "result": "unchanged"}])
        for answer in (first, again, self.submit(workload("train"), workload("more", "9"))):
            self.assertEqual(answer.body.decode(), json.dumps(answer.json, indent=2) + "\n")

    def test_a_dry_run_changes_nothing(self):
        self.apply_queues()
        answer = self.server.ask("POST", "/v1/submit?dryRun=true", workload("train"))
        self.assertEqual(answer.json["objects"],
                         [{"kind": "Workload", "name": "team-a/train", "result": "created"}])
        self.assertTrue(answer.json["dryRun"])
        self.assertEqual(self.server.states(), {})

    def test_lists_are_what_get_prints(self):
        self.apply_queues()
        self.submit(workload("train", "2"), workload("wait", "20"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted")
        self.server.stop()
        again = self.serve()
        for kind in ("clusterqueues", "cohorts", "localqueues", "workloads", "flavors", "policies",
                     "accounts", "consumers", "policybindings", "namespaces", "priorityclasses",
                     "topologies", "admissionchecks"):
            printed = subprocess.run([MUSTER, "get", kind, "-o", "json", "--db", again.db],
                                     capture_output=True, check=True)
            self.assertEqual(again.ask("GET", f"/v1/{kind}").json, json.loads(printed.stdout), kind)
        for kind, name in (("clusterqueues", "team-a-cq"), ("workloads", "team-a/train")):
            ns, _, bare = name.rpartition("/")
            printed = subprocess.run([MUSTER, "get", kind, bare, "-o", "json", "--db", again.db]
                                     + (["-n", ns] if ns else []), capture_output=True, check=True)
            self.assertEqual(again.ask("GET", f"/v1/{kind}/{name}").json,
                             json.loads(printed.stdout))
        printed = subprocess.run([MUSTER, "explain", "team-a/wait", "-o", "json", "--db", again.db],
                                 capture_output=True, check=True)
        self.assertEqual(again.ask("GET", "/v1/workloads/team-a/wait/explain").json,
                         json.loads(printed.stdout))

    def test_pages_cover_a_list_once(self):
        self.apply_queues()
        self.submit(*[workload(f"w{number:03}", "9") for number in range(25)])
        names, after = [], ""
        while True:
            page = self.server.ask("GET", f"/v1/workloads?limit=10{after}").json
            names += [item["metadata"]["name"] for item in page["items"]]
            if "metadata" not in page:
                break
            after = "&after=" + page["metadata"]["continue"]
        self.assertEqual(names, [f"w{number:03}" for number in range(25)])
        pending = self.server.ask("GET", "/v1/workloads?state=pending,parked&namespace=team-a")
        self.assertEqual(len(pending.json["items"]), 25)
        self.assertEqual(self.server.ask("GET", "/v1/workloads?state=admitted").json["items"], [])

    def test_commands_are_answered_in_order(self):
        self.apply_queues()
        self.submit(workload("one"), workload("two"))
        answer = self.server.ask("POST", "/v1/commands", [
            {"command": "finish", "workloads": [{"namespace": "team-a", "name": "one"}]},
            {"command": "cancel", "workloads": [{"namespace": "team-a", "name": "two"}]},
            {"command": "advance"}])
        self.assertEqual(answer.status, 200, answer.body)
        self.assertEqual([each["answer"] for each in answer.json], ["done"] * 3)

    def test_a_refused_command_says_what_happened_before(self):
        self.apply_queues()
        self.submit(workload("one"))
        answer = self.server.ask("POST", "/v1/commands", [
            {"command": "cancel", "workloads": [{"namespace": "team-a", "name": "one"}]},
            {"command": "cancel", "workloads": [{"namespace": "team-a", "name": "one"}]},
            {"command": "advance"}])
        self.assert_refused(answer, 404, "team-a/one")
        self.assertEqual(answer.json["refused"], 1)
        self.assertEqual(answer.json["answers"], [{"answer": "done"}])

    def test_every_mistake_has_its_place_and_cure(self):
        answer = self.server.ask("POST", "/v1/apply", "kind: ClusterQueu\n---\nkind: [",
                                 {"Content-Type": "application/yaml"})
        self.assert_refused(answer, 400)
        self.assertEqual(answer.json["place"]["in"], "body")
        answer = self.server.ask("POST", "/v1/commands",
                                 [{"command": "finish", "workload": []}, {"command": "finsh"}])
        self.assert_refused(answer, 400, "workloads")
        self.assertEqual([m["place"]["path"] for m in answer.json["mistakes"]],
                         ["[0]", "[0]", "[1].command"])
        self.assertEqual({m["place"]["in"] for m in answer.json["mistakes"]}, {"body"})

    def test_what_will_never_start_is_taken_with_a_warning_in_its_place(self):
        self.apply_queues()
        huge = workload("huge", "9")
        for target in ("/v1/submit?dryRun=true", "/v1/submit", "/v1/apply"):
            answer = self.server.ask("POST", target, manifest_list([workload("train"), huge]))
            self.assertEqual(answer.status, 200, answer.body)
            [warning] = answer.json["warnings"]
            self.assertIn("team-a/huge asks for 9 cpu, and ClusterQueue team-a-cq can never have "
                          "more than 8", warning["message"])
            self.assertIn("it will never start", warning["message"])
            self.assertEqual(warning["place"]["in"], "body")
            self.assertGreater(warning["place"]["line"], 0)
            self.assertTrue(warning["cure"])

    def test_a_job_that_has_ended_and_queues_that_reach_nothing_are_warned_of(self):
        self.apply_queues()
        self.submit(workload("train"))
        self.server.ask("POST", "/v1/commands", {
            "command": "finish", "workloads": [{"namespace": "team-a", "name": "train"}]})
        [warning] = self.submit(workload("train")).json["warnings"]
        self.assertIn("team-a/train has ended and does not run again", warning["message"])
        [warning] = self.submit(workload("train", priority=5)).json["warnings"]
        self.assertIn("team-a/train is the job of uid ", warning["message"])
        self.assertGreater(warning["place"]["line"], 0)
        local = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue",
                 "metadata": {"name": "x", "namespace": "team-b"},
                 "spec": {"clusterQueue": "team-a-cq"}}
        answer = self.server.ask("POST", "/v1/apply", local)
        self.assertIn("does not select namespace team-b", answer.json["warnings"][0]["message"])

    def test_a_job_whose_queue_is_not_there_is_refused(self):
        self.apply_queues()
        answer = self.server.ask("POST", "/v1/submit", workload("train", queue="none"))
        self.assert_refused(answer, 400, "none")
        self.assertEqual(self.server.states(), {})

    def test_one_mistake_anywhere_and_nothing_is_done(self):
        self.apply_queues()
        bad = workload("bad", queue="none")
        answer = self.server.ask("POST", "/v1/submit", manifest_list([workload("good"), bad]))
        self.assert_refused(answer, 400)
        self.assertEqual(self.server.states(), {})

    def test_decisions_are_waited_for_and_come_until_they_are_acknowledged(self):
        self.apply_queues()
        added = self.server.ask("POST", "/v1/commands", {"command": "register-consumer",
                                                         "consumer": "gateway"})
        self.assertEqual(added.status, 200, added.body)
        begin = time.monotonic()
        self.assertEqual(self.server.ask("GET", "/v1/decisions?consumer=gateway&wait=1")
                         .json["decisions"], [])
        self.assertGreaterEqual(time.monotonic() - begin, 1)
        answers = []
        waiter = threading.Thread(target=lambda: answers.append(
            self.server.ask("GET", "/v1/decisions?consumer=gateway&wait=20").json))
        waiter.start()
        time.sleep(0.2)
        self.submit(workload("train"))
        waiter.join(5)
        told = answers[0]["decisions"]
        self.assertEqual([(each["number"], each["kind"], each["workload"]["name"])
                          for each in told], [(1, "start", "train")])
        self.assertEqual(self.server.ask("GET", "/v1/decisions?after=0").json["decisions"], told)
        self.server.kill()
        self.server = self.serve()
        again = self.server.ask("GET", "/v1/decisions?consumer=gateway&wait=20").json
        self.assertEqual(again["decisions"], told)
        done = self.server.ask("POST", "/v1/commands", {"command": "acknowledge", "upto": 1,
                                                        "consumer": "gateway"})
        self.assertEqual(done.status, 200, done.body)
        again = self.server.ask("GET", "/v1/decisions?consumer=gateway").json
        self.assertEqual(again["decisions"], [])
        for query in ("", "?consumer=gateway&after=1", "?after=x", "?after=0&wait=61",
                      "?after=0&limit=0", "?consumer=none", "?after=99"):
            self.assertIn(self.server.ask("GET", "/v1/decisions" + query).status, (400, 404), query)

    def test_told_to_stop_what_waits_for_news_is_answered(self):
        self.server.ask("POST", "/v1/commands", {"command": "register-consumer",
                                                 "consumer": "gateway"})
        answers = []
        waiter = threading.Thread(target=lambda: answers.append(
            self.server.ask("GET", "/v1/decisions?consumer=gateway&wait=60").status))
        waiter.start()
        time.sleep(0.3)
        self.assertLess(self.server.stop(), IN_TIME)
        waiter.join(5)
        self.assertEqual(answers, [200])

    def test_a_deadline_is_met_without_a_call(self):
        self.apply_queues()
        limited = workload("short")
        limited["spec"]["maximumExecutionTimeSeconds"] = 1
        self.submit(limited)
        self.server.wait_for(lambda: self.server.ask(
            "GET", "/v1/workloads/team-a/short").json["spec"].get("active") is False)

    def test_what_is_at_rest_does_not_compute(self):
        self.apply_queues()
        self.submit(workload("one"), workload("two", "20"))
        self.server.wait_for(lambda: self.server.states()["one"] == "admitted")

        def seconds():
            with open(f"/proc/{self.server.process.pid}/stat", encoding="ascii") as file:
                words = file.read().rsplit(")", 1)[1].split()
            return int(words[11]) + int(words[12])
        time.sleep(0.3)
        before = seconds()
        time.sleep(1)
        self.assertLessEqual(seconds() - before, 1)

    def test_a_second_service_on_the_ledger_is_refused(self):
        done = subprocess.run([MUSTER, "serve", "--db", self.server.db, "--listen", "127.0.0.1:0",
                               "--wait", "0"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("held by", done.stderr)

    def test_is_not_ready_once_its_ledger_takes_nothing(self):
        server = self.serve(db="full.ledger")
        self.apply_queues(server)
        self.assertEqual(server.ask("GET", "/readyz").status, 200)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, 1))
        self.assertGreaterEqual(
            server.ask("POST", "/v1/submit", workload("lost")).status, 500)
        # What it still answers before it ends is never that it is ready.
        for _ in range(100):
            try:
                self.assertEqual(server.ask("GET", "/readyz").status, 503)
            except (OSError, http.client.HTTPException):
                break
        self.assertEqual(server.process.wait(timeout=IN_TIME), 3)

    def test_only_this_machine_is_served_without_tokens(self):
        for address in ("0.0.0.0:0", "[::]:0", "192.0.2.1:80"):
            done = subprocess.run([MUSTER, "serve", "--db", self.server.db + "2", "--listen",
                                   address], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("without tokens", done.stderr)

    def test_queues_are_what_was_sent(self):
        self.apply_queues()
        queue = self.server.ask("GET", "/v1/clusterqueues/team-a-cq").json
        self.assertEqual(queue["spec"]["cohortName"], "all")
        self.assertEqual(self.server.ask("GET", "/v1/clusterqueues/none").status, 404)


if __name__ == "__main__":
    unittest.main()
