"""What each role may do and see: every cell of role x path x object, and tokens come and go."""

import json
import os
import shutil
import stat
import subprocess
import tempfile
import threading
import time
import unittest

from service import MUSTER, QUEUES, ServiceTest, manifest_list, workload

ROLES = {
    "admin": ("admin", ""),
    "owner-a": ("owner", "clusterqueue:team-a-cq"),
    "owner-all": ("owner", "cohort:all"),
    "submitter-a": ("submitter", "namespace:team-a"),
    "submitter-q": ("submitter", "localqueue:team-a/main"),
    "viewer": ("viewer", ""),
    "viewer-a": ("viewer", "clusterqueue:team-a-cq"),
    "viewer-all": ("viewer", "cohort:all"),
    "agent": ("agent", ""),
}
ALL = set(ROLES)
SEES_ALL = {"admin", "viewer", "agent"}
IN_COHORT = {"owner-all", "viewer-all"}
OF_A = {"owner-a", "submitter-a", "submitter-q", "viewer-a"}
REPORTS = ("ready", "finish", "evicted")


def command(name, workload_name):
    """A report about one workload."""
    ns, bare = workload_name.split("/")
    return {"command": name, "workloads": [{"namespace": ns, "name": bare}]}


def two_pods(name, ns, **status):
    """A Job of two pods, with what its controller says."""
    container = {"name": "c", "resources": {"requests": {"cpu": "1"}}}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": ns,
                         "labels": {"kueue.x-k8s.io/queue-name": "main"}},
            "spec": {"parallelism": 2, "completions": 2,
                     "template": {"spec": {"containers": [container]}}},
            "status": status}


def binding(queue):
    """What an owner of the queue may apply."""
    return {"apiVersion": "muster.dev/v1", "kind": "PolicyBinding", "metadata": {"name": queue},
            "spec": {"policy": "none", "clusterQueues": [queue], "hooks": ["queue_order"]}}


def tokens(*words, check=True):
    """muster token WORDS."""
    return subprocess.run([MUSTER, "token", *words], capture_output=True, text=True, check=check)


def create(file, name, role, of=""):
    """A new token."""
    flags = ["--of", of] if of else []
    return tokens("create", name, "--role", role, *flags, "--tokens", file).stdout.strip()


class RolesTest(ServiceTest):
    """A service with a token of each role, two teams, a job each."""

    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.made)
        cls.made_tokens = {name: create(os.path.join(cls.made, "tokens.json"), name, *role)
                           for name, role in ROLES.items()}

    def begin(self):
        self.file = os.path.join(self.folder, "tokens.json")
        shutil.copy2(os.path.join(self.made, "tokens.json"), self.file)
        self.tokens = dict(self.made_tokens)
        self.server = self.serve("--tokens", self.file)
        self.server.token = self.tokens["admin"]
        answer = self.server.ask("POST", "/v1/apply", QUEUES, {"Content-Type": "application/yaml"})
        self.assertEqual(answer.status, 200, answer.body)
        self.submit(workload("job", ns="team-a"), workload("job", ns="team-b"))

    def status(self, name, method, target, body=None):
        """What the role is answered."""
        return self.server.ask(method, target, body, token=self.tokens[name]).status

    def assert_allowed(self, allowed, method, target, body=None, otherwise=403):
        """Exactly these roles are let through; the others get `otherwise`."""
        for name in ROLES:
            status = self.status(name, method, target, body)
            told = f"{name}: {method} {target} {json.dumps(body)[:80]}: {status}"
            if name in allowed:
                self.assertNotIn(status, (401, 403, 404 if otherwise == 404 else 401), told)
            else:
                self.assertEqual(status, otherwise, told)


class Roles(RolesTest):
    """The matrix."""

    def test_reading_is_filtered(self):
        both = SEES_ALL | IN_COHORT
        for team, more in (("a", OF_A), ("b", set())):
            for target in (f"clusterqueues/team-{team}-cq", f"localqueues/team-{team}/main",
                           f"workloads/team-{team}/job", f"workloads/team-{team}/job/explain"):
                self.assert_allowed(both | more, "GET", f"/v1/{target}", otherwise=404)
        self.assert_allowed(both, "GET", "/v1/cohorts/all", otherwise=404)
        for kind in ("flavors", "priorityclasses", "policies", "topologies", "admissionchecks"):
            self.assert_allowed(ALL, "GET", f"/v1/{kind}")
        self.assert_allowed(ALL, "GET", "/v1/heat")
        for target in ("/v1/accounts", "/v1/policybindings", "/v1/namespaces", "/v1/consumers",
                       "/v1/decisions?after=0", "/metrics", "/v1/usage", "/v1/policy-list",
                       "/v1/defrag", "/v1/describe?kind=wl&name=team-a/job", "/v1/history",
                       "/v1/workloads/team-a/job/history"):
            self.assert_allowed(SEES_ALL, "GET", target)

    def test_lists_have_what_is_seen_one_by_one(self):
        for name in ROLES:
            everything = name in SEES_ALL | IN_COHORT
            for kind, own in (("workloads", ["team-a"]), ("localqueues", ["team-a"])):
                page = self.server.ask("GET", f"/v1/{kind}", token=self.tokens[name]).json
                self.assertEqual([item["metadata"]["namespace"] for item in page["items"]],
                                 ["team-a", "team-b"] if everything else own, (name, kind))
            page = self.server.ask("GET", "/v1/clusterqueues", token=self.tokens[name]).json
            self.assertEqual([item["metadata"]["name"] for item in page["items"]],
                             ["team-a-cq", "team-b-cq"] if everything else ["team-a-cq"], name)

    def test_explanations_do_not_name_the_jobs_of_others(self):
        self.submit(workload("big", "8", ns="team-a"))
        for name in ("submitter-a", "viewer-a", "owner-a"):
            told = self.server.ask("GET", "/v1/workloads/team-a/big/explain",
                                   token=self.tokens[name])
            self.assertEqual(told.status, 200)
            for part in ("holders", "candidates"):
                self.assertNotIn("team-b/", json.dumps(told.json[part]), (name, part))

    def test_submitting_is_for_submitters_of_the_namespace(self):
        for ns, allowed in (("team-a", {"admin", "submitter-a", "submitter-q"}),
                            ("team-b", {"admin"})):
            for dry in ("", "?dryRun=true"):
                self.assert_allowed(allowed, "POST", "/v1/submit" + dry, workload("new", ns=ns))
            self.assert_allowed(allowed, "POST", "/v1/commands", {
                "command": "submit", "workloads": [
                    {"key": {"namespace": ns, "name": "new"}, "queue": "main",
                     "podSets": [{"name": "main", "count": 1}]}]})

    def test_a_submitter_does_not_say_how_long_it_waits_or_that_it_runs(self):
        old = workload("old")
        old["metadata"]["creationTimestamp"] = "2020-01-01T00:00:00Z"
        runs = workload("runs")
        runs["status"] = {"conditions": [
            {"type": "Finished", "status": "True", "reason": "x", "message": "",
             "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
        for each, word in ((old, "creationTimestamp"), (runs, "status")):
            answer = self.server.ask("POST", "/v1/submit", each, token=self.tokens["submitter-a"])
            self.assert_refused(answer, 403, word)

    def test_a_token_with_priority_classes_chooses_no_other_priority(self):
        classes = [{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "WorkloadPriorityClass",
                    "metadata": {"name": name}, "value": value}
                   for name, value in (("batch", 10), ("urgent", 1000))]
        self.server.ask("POST", "/v1/apply", manifest_list(classes))
        limited = create(self.file, "limited", "submitter", "namespace:team-a,priorityclass:batch")
        self.server.wait_for(lambda: self.server.ask("GET", "/v1/flavors", token=limited).status
                             == 200)

        def job(name, named=None, priority=None, boost=None):
            made = workload(name)
            del made["spec"]["priority"]
            if named:
                made["spec"]["priorityClassRef"] = {"group": "kueue.x-k8s.io", "name": named,
                                                    "kind": "WorkloadPriorityClass"}
            if priority is not None:
                made["spec"]["priority"] = priority
            if boost:
                made["metadata"]["annotations"] = {"kueue.x-k8s.io/priority-boost": boost}
            return made
        pods_class = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                      "metadata": {"name": "batch"}, "value": 100000}
        self.server.ask("POST", "/v1/apply", pods_class)
        by_pods_class = job("by-pods-class")
        by_pods_class["spec"]["priorityClassRef"] = {
            "group": "scheduling.k8s.io", "kind": "PriorityClass", "name": "batch"}
        pods = job("pods", "batch")
        pods["spec"]["podSets"][0]["template"]["spec"]["priorityClassName"] = "batch"
        only_pods = job("only-pods")
        only_pods["spec"]["podSets"][0]["template"]["spec"]["priorityClassName"] = "batch"
        for each in (job("none"), job("number", priority=0), job("other", "urgent"),
                     job("both", "batch", 1000), job("boosts", "batch", boost="5"),
                     by_pods_class, pods, only_pods):
            answer = self.server.ask("POST", "/v1/submit", each, token=limited)
            self.assert_refused(answer, 403, "chooses no priority")
            self.assertIn("batch", answer.json["cure"])
        for token, each in ((limited, job("good", "batch")),
                            (self.tokens["submitter-a"], job("free", "urgent")),
                            (self.tokens["submitter-a"], job("number", priority=7))):
            answer = self.server.ask("POST", "/v1/submit", each, token=token)
            self.assertEqual(answer.status, 200, answer.body)

    def test_applying_is_for_admins_and_of_bindings_for_owners(self):
        flavor = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "ResourceFlavor",
                  "metadata": {"name": "new"}}
        self.assert_allowed({"admin"}, "POST", "/v1/apply", flavor)
        self.assert_allowed({"admin"}, "POST", "/v1/apply", workload("new"))
        self.assert_allowed({"admin", "owner-a", "owner-all"}, "POST", "/v1/apply",
                            binding("team-a-cq"))
        self.assert_allowed({"admin", "owner-all"}, "POST", "/v1/apply", binding("team-b-cq"))

    def test_commands_are_for_whom_they_concern(self):
        for name in REPORTS:
            self.assert_allowed({"admin", "agent"}, "POST", "/v1/commands",
                                command(name, "team-a/job"))
        for name in ("register-consumer", "acknowledge"):
            self.assert_allowed({"admin", "agent"}, "POST", "/v1/commands", {
                "command": name, "consumer": "g", **({"upto": 0} if name[0] == "a" else {})})
        for each in ({"command": "advance"}, {"command": "cycle"},
                     {"command": "delete", "kind": "Cohort", "key": {"name": "none"}},
                     {"command": "evict", "workload": {"namespace": "team-a", "name": "job"},
                      "reason": "Why"},
                     {"command": "update", "workload": {"namespace": "team-a", "name": "job"},
                      "priority": 9}):
            self.assert_allowed({"admin"}, "POST", "/v1/commands", each)
            self.assert_allowed({"admin"}, "POST", "/v1/commands", [each])
        for ns, allowed in (("team-a", {"submitter-a", "submitter-q"}), ("team-b", set())):
            for name in ROLES:
                self.server.ask("POST", "/v1/submit", workload("gone", ns=ns))
                status = self.status(name, "POST", "/v1/commands", command("cancel", ns + "/gone"))
                self.assertEqual(status, 200 if name in allowed | {"admin"} else 403, (name, ns))

    def test_stopping_queues_is_for_admins_before_the_body_is_read(self):
        for body in ({"stopPolicy": "None", "queues": [{"name": "team-a-cq"}]},
                     {"stopPolicy": "None", "queues": [{"name": "none"}]}, {}):
            self.assert_allowed({"admin"}, "POST", "/v1/stop-policy", body)

    def test_observing_is_for_admins_and_agents_and_tells_others_nothing(self):
        for name in ("pair", "none"):
            self.assert_allowed({"admin", "agent"}, "POST", "/v1/observe",
                                two_pods(name, "team-b"))

    def test_an_agent_observes_pods_that_have_succeeded(self):
        self.submit(two_pods("pair", "team-a"))
        self.server.wait_for(lambda: self.server.states()["job-pair"] == "admitted")

        def observe(*objects):
            return self.server.ask("POST", "/v1/observe", manifest_list(objects),
                                   token=self.tokens["agent"])
        told = observe(two_pods("pair", "team-a", succeeded=1, active=1))
        self.assertEqual(told.status, 200, told.body)
        self.assertEqual(told.json["objects"][0]["result"], "reclaimed")
        shown = self.server.ask("GET", "/v1/workloads/team-a/job-pair").json
        self.assertEqual(shown["status"]["reclaimablePods"], [{"name": "main", "count": 1}])
        update = {"command": "update", "workload": {"namespace": "team-a", "name": "job-pair"},
                  "reclaimablePods": [{"podSet": "main", "count": 2}]}
        answer = self.server.ask("POST", "/v1/commands", update, token=self.tokens["agent"])
        self.assert_refused(answer, 403, "update")

    def test_an_observation_that_is_refused_midway_says_what_was_told(self):
        self.submit(two_pods("one", "team-a"), two_pods("two", "team-a"))
        self.server.wait_for(lambda: self.server.states()["job-one"] == "admitted")

        def observe(*objects):
            body = "\n---\n".join(json.dumps(each) for each in objects)
            return self.server.ask("POST", "/v1/observe", body,
                                   {"Content-Type": "application/yaml"},
                                   token=self.tokens["agent"])
        answer = observe(two_pods("one", "team-a", succeeded=2, active=0),
                         two_pods("one", "team-a", succeeded=1, active=1),
                         two_pods("two", "team-a", active=2, ready=2))
        self.assert_refused(answer, 400, "may not fall from")
        self.assertEqual((answer.json["place"]["in"], answer.json["place"]["line"]), ("body", 3))
        self.assertTrue(answer.json["cure"])
        self.assertEqual([(each["name"], each["result"]) for each in answer.json["objects"]],
                         [("team-a/job-one", "ready")])
        unknown = observe(two_pods("two", "team-a"), two_pods("none", "team-a"))
        self.assert_refused(unknown, 404, "submit it first")
        self.assertEqual(unknown.json["place"]["line"], 3)
        broken = self.server.ask("POST", "/v1/observe", "a: [", {"Content-Type":
                                                                "application/yaml"})
        self.assert_refused(broken, 400)
        self.assertEqual(broken.json["place"]["line"], 1)
        self.assertTrue(broken.json["cure"])
        self.assertEqual(self.server.ask("POST", "/v1/observe", b"#" * (3 << 20)).json["message"],
                         "there is no object of a job kind with a queue")
        self.assertEqual(self.server.status_of_length("/v1/observe", (4 << 20) + 1), 413)

    def test_one_command_that_it_may_not_have_and_none_is_carried_out(self):
        answer = self.server.ask("POST", "/v1/commands",
                                 [command("finish", "team-a/job"), {"command": "advance"}],
                                 token=self.tokens["agent"])
        self.assert_refused(answer, 403, "advance")
        self.assertNotEqual(self.server.states()["job"], "finished")

    def test_without_a_good_token_nothing_but_health_is_told(self):
        good = self.tokens["admin"]
        for shown in (None, "", "Bearer", "Bearer ", "Bearer x", f"Basic {good}", good,
                      f"Bearer {good}x", f"Bearer {good[:-1]}", f"Bearer  {good}",
                      f"Bearer {good.upper()}", f"Bearer {good} {good}", "Bearer " + "x" * 9000):
            fields = {} if shown is None else {"Authorization": shown}
            for method, target in (("GET", "/v1/flavors"), ("POST", "/v1/apply"),
                                   ("POST", "/v1/submit"), ("POST", "/v1/commands")):
                connection = self.server.connect()
                connection.request(method, target, headers=fields)
                response = connection.getresponse()
                self.assertEqual(response.status, 401, (shown, target))
                self.assertEqual(response.getheader("WWW-Authenticate"), "Bearer")
                connection.close()
        for target in ("/healthz", "/readyz", "/version", "/openapi.yaml"):
            connection = self.server.connect()
            connection.request("GET", target)
            self.assertEqual(connection.getresponse().status, 200, target)
            connection.close()

    def test_tokens_are_made_and_revoked_while_it_serves(self):
        self.tokens["late"] = create(self.file, "late", "viewer")
        self.server.wait_for(lambda: self.status("late", "GET", "/v1/flavors") == 200, 2)
        tokens("revoke", "late", "--tokens", self.file)
        self.server.wait_for(lambda: self.status("late", "GET", "/v1/flavors") == 401, 2)
        self.assertEqual(self.status("viewer", "GET", "/v1/flavors"), 200)

    def test_a_file_of_tokens_that_is_spoilt_lets_none_in(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write("{")
        self.server.wait_for(lambda: self.status("admin", "GET", "/v1/flavors") == 503, 2)
        os.remove(self.file)
        time.sleep(0.6)
        self.assertEqual(self.status("admin", "GET", "/v1/flavors"), 503)

    def test_the_file_holds_no_token_and_is_its_owners(self):
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        for token in self.tokens.values():
            self.assertNotIn(token, text)
            self.assertNotIn(token.removeprefix("muster_"), text)
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assertEqual(len(set(self.tokens.values())), len(ROLES))
        listed = json.loads(tokens("list", "--tokens", self.file, "-o", "json").stdout)
        self.assertEqual([each["name"] for each in listed], list(ROLES))

    def test_tokens_by_api_are_for_an_admin(self):
        self.assert_allowed({"admin"}, "GET", "/v1/tokens")
        self.assert_allowed({"admin"}, "POST", "/v1/tokens", {"name": "x", "role": "none"})
        self.assert_allowed({"admin"}, "DELETE", "/v1/tokens/none")
        listed = self.server.ask("GET", "/v1/tokens").json["items"]
        self.assertEqual([each["name"] for each in listed], list(ROLES))

    def test_a_token_by_api_counts_at_once_and_once_revoked_no_more(self):
        asked = {"name": "late", "role": "submitter", "of": ["namespace:team-a"]}
        with open(self.file + ".new", "w", encoding="utf-8") as file:
            file.write("left behind by a call that was killed")
        made = self.server.ask("POST", "/v1/tokens", asked)
        self.assertEqual(made.status, 200, made.body)
        self.assertEqual({name: made.json[name] for name in asked}, asked)
        self.assertEqual(made.fields["cache-control"], "no-store")
        self.tokens["late"] = made.json["token"]
        self.assertEqual(self.status("late", "POST", "/v1/submit", workload("late")), 200)
        self.assertEqual(self.status("late", "POST", "/v1/submit", workload("x", ns="team-b")), 403)
        with open(self.file, encoding="utf-8") as file:
            self.assertNotIn(made.json["token"].removeprefix("muster_"), file.read())
        self.assertEqual(stat.S_IMODE(os.stat(self.file).st_mode), 0o600)
        self.assert_refused(self.server.ask("POST", "/v1/tokens", asked), 409, "late")
        gone = self.server.ask("DELETE", "/v1/tokens/late")
        self.assertEqual((gone.status, gone.json), (200, {"name": "late", "revoked": True}))
        self.assertEqual(self.status("late", "GET", "/v1/flavors"), 401)
        self.assert_refused(self.server.ask("DELETE", "/v1/tokens/late"), 404, "late")
        self.assertEqual(self.status("viewer", "GET", "/v1/flavors"), 200)

    def test_tokens_made_at_once_here_and_there_are_all_there(self):
        codes = []

        def by_api(number):
            answer = self.server.ask("POST", "/v1/tokens", {"name": f"a{number}", "role": "agent"})
            codes.append(answer.status)
        threads = [threading.Thread(target=by_api, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for number in range(6):
            create(self.file, f"b{number}", "agent")
        for thread in threads:
            thread.join()
        self.assertEqual(codes, [200] * 6)
        names = {each["name"] for each in
                 json.loads(tokens("list", "--tokens", self.file, "-o", "json").stdout)}
        self.assertEqual(names, set(ROLES) | {f"{by}{i}" for by in "ab" for i in range(6)})

    def test_what_is_no_token_is_refused_and_changes_nothing(self):
        with open(self.file, encoding="utf-8") as file:
            before = file.read()
        for body in ("", "{", "[]", '"x"', {}, {"name": "x"}, {"role": "admin"},
                     {"name": "x", "role": "root"}, {"name": 1, "role": "admin"},
                     {"name": "UPPER", "role": "admin"}, {"name": "x", "role": "owner"},
                     {"name": "x", "role": "admin", "of": ["cohort:all"]},
                     {"name": "x", "role": "viewer", "of": "cohort:all"},
                     {"name": "x", "role": "viewer", "of": [1]},
                     {"name": "x", "role": "viewer", "more": 1}, '{"name": "\xff"}'):
            body = body.encode("latin-1") if isinstance(body, str) else body
            self.assert_refused(self.server.ask("POST", "/v1/tokens", body), 400)
        connection = self.server.connect()
        connection.putrequest("POST", "/v1/tokens")
        for field, value in (("Authorization", "Bearer " + self.tokens["admin"]),
                             ("Content-Type", "application/json"), ("Content-Length", "70000")):
            connection.putheader(field, value)
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 413)
        connection.close()
        with open(self.file, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)

    def test_questions_about_what_is_to_come_are_filtered(self):
        finish = command("finish", "team-a/job")
        self.assert_allowed(SEES_ALL, "POST", "/v1/what-if", finish)
        self.assert_allowed(SEES_ALL, "GET", "/v1/eta?futures=1&questions=0")
        self.submit(workload("waits", "8"), workload("waits", "8", ns="team-b"))
        for team, more in (("a", OF_A), ("b", set())):
            self.assert_allowed(SEES_ALL | IN_COHORT | more, "GET",
                                f"/v1/workloads/team-{team}/waits/eta?futures=1&questions=0",
                                otherwise=404)
        self.assertNotEqual(self.server.states()["job"], "finished")

    def test_what_is_no_role_is_refused(self):
        for words in (("x", "--role", "root"), ("x", "--role", "owner"), ("x", "--role", ""),
                      ("x", "--role", "submitter"), ("UPPER", "--role", "viewer"),
                      ("x", "--role", "admin", "--of", "cohort:all"),
                      ("x", "--role", "submitter", "--of", "cohort:all"),
                      ("x", "--role", "submitter", "--of", "priorityclass:batch"),
                      ("x", "--role", "owner", "--of", "namespace:team-a"),
                      ("x", "--role", "submitter", "--of", "localqueue:main"),
                      ("x", "--role", "viewer", "--of", "cohort:"),
                      ("admin", "--role", "viewer")):
            done = tokens("create", *words, "--tokens", self.file, check=False)
            self.assertIn(done.returncode, (1, 2), words)
            self.assertEqual(done.stdout, "")
        self.assertEqual(tokens("revoke", "x", "--tokens", self.file, check=False).returncode, 2)


if __name__ == "__main__":
    unittest.main()
