"""muster --server: what the verbs print and answer is what they do with a ledger."""

import fcntl
import json
import os
import pty
import re
import signal
import socket
import struct
import subprocess
import tempfile
import termios
import unittest

from remote import RemoteTest
from service import MUSTER, QUEUES, ServiceTest, manifest_list, muster, workload

KINDS = ("clusterqueues", "cohorts", "localqueues", "workloads", "flavors", "priorityclasses",
         "policies", "policybindings", "accounts", "consumers", "namespaces", "topologies",
         "admissionchecks")


def elastic_job(name, pods):
    """A Job of so many pods that may grow and shrink while it runs."""
    container = {"name": "c", "resources": {"requests": {"cpu": "1"}}}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": {"name": name, "namespace": "team-a",
                         "labels": {"kueue.x-k8s.io/queue-name": "main"},
                         "annotations": {"kueue.x-k8s.io/elastic-job": "true"}},
            "spec": {"parallelism": pods, "template": {"spec": {"containers": [container]}}}}


def pod_of_group(name):
    """One of two pods of a group."""
    container = {"name": "c", "resources": {"requests": {"cpu": "1"}}}
    return {"apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": name, "namespace": "team-a",
                         "labels": {"kueue.x-k8s.io/queue-name": "main",
                                    "kueue.x-k8s.io/pod-group-name": "pair"},
                         "annotations": {"kueue.x-k8s.io/pod-group-total-count": "2"}},
            "spec": {"containers": [container]}}


def jobs_of(table):
    """The first word of each line of a table; what is said below it may change within a second."""
    return [line.split()[0] for line in table.split("\n\n")[0].splitlines()]


class Remote(RemoteTest):
    """Reading, then writing."""

    def test_lists_and_explanations_are_those_of_the_ledger(self):
        self.apply_queues()
        self.submit(workload("train", "2"), workload("wait", "20"), workload("b", "1", "team-b"))
        self.server.ask("POST", "/v1/commands", {"command": "register-consumer", "consumer": "g"})
        self.server.wait_for(  # nothing changes any more between the two answers
            lambda: self.server.states()["train"] == "admitted" and
            self.server.states("team-b") == {"b": "admitted"} and
            "wait" in self.remote("get", "wl", "--state", "parked")[1])
        queries = [[kind] for kind in KINDS] + [
            ["wl", "-n", "team-a"], ["wl", "train", "-n", "team-a"], ["wl", "team-a/train"],
            ["cq", "team-a-cq"], ["wl", "--state", "pending"], ["wl", "--sort", "priority"],
            ["wl", "-n", "nowhere"], ["lq", "team-b/main"]]
        outputs = ("wide", "json", "yaml")
        for number, query in enumerate(queries):
            for output in ("table", outputs[number % 3]):
                words = ("get", *query, "-o", output)
                here = muster(*words, "--db", self.server.db)
                self.assertEqual(self.remote(*words), here, words)
        for words in (("get", "wl", "team-a/none"), ("get", "cq", "none"),
                      ("get", "wl", "team-a/trian")):
            here = muster(*words, "--db", self.server.db)
            self.assertEqual(here[0], 2)
            self.assertEqual(self.remote(*words), here, words)
        for output in ("table", "json"):
            for name in ("team-a/wait", "team-a/train"):
                words = ("explain", name, "-o", output)
                self.assertEqual(self.remote(*words), muster(*words, "--db", self.server.db))
        self.assertEqual(self.remote("explain", "team-a/none")[0], 2)

    def test_what_if_and_eta_say_what_they_say_of_the_ledger(self):
        self.apply_queues()
        self.submit(workload("train", "7"), workload("wait", "4"), workload("b", "1", "team-b"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted" and
                             self.server.states("team-b")["b"] == "admitted")
        job = os.path.join(self.folder, "job.json")
        with open(job, "w", encoding="utf-8") as file:
            json.dump(workload("more", "1", "team-b"), file)
        finish = json.dumps({"command": "finish",
                             "workloads": [{"namespace": "team-a", "name": "train"}]})
        for words, text in (
                (("--finish", "team-a/train"), None), (("--cancel", "train", "-n", "team-a"), None),
                (("--quota", "team-a-cq/default/cpu=+4"), None),
                (("--quota", "team-a-cq/default/cpu=+4", "--drain", "team-a-cq"), None),
                (("--quota", "team-a-cq/default/cpu=+4", "team-a-cq/default/cpu=+9"), None),
                (("--drain", "team-a-cq", "team-b-cq"), None), (("--with", job), None),
                (("--priority", "team-a/wait=9"), None), (("--commands", "-"), finish)):
            for output in ("table", "json"):
                words = ("what-if", *words, "-o", output)
                here = muster(*words, "--db", self.server.db, text=text)
                self.assertEqual(here[0], 0, here)
                self.assertEqual(self.remote(*words, text=text), here, words)
                words = words[1:-2]
        for words in (("--finish", "team-a/none"), ("--quota", "none/default/cpu=1"),
                      ("--quota", "team-a-cq/default/cpu=-9"), ("--drain", "none"),
                      ("--with", "/dev/null", "--activate", "x")):
            self.assertIn(self.remote("what-if", *words)[0], (1, 2), words)
        for words in (("team-a/wait",), ("wait", "-n", "team-a"), (), ("--no-arrivals",)):
            for output in ("table", "json"):
                words = ("eta", *words, "--futures", "3", "-o", output)
                here = muster(*words, "--db", self.server.db)
                told = self.remote(*words)
                self.assertEqual(told[0], 0, told)
                self.assertEqual(told[0], here[0])
                if output == "table":  # the same jobs; their times are behind that of asking
                    self.assertEqual(jobs_of(told[1]), jobs_of(here[1]), words)
                words = words[1:-4]
        for words in (("team-a/none",), ("team-a/train",)):
            self.assertEqual(self.remote("eta", *words)[0], 2)
        self.assertEqual(self.remote("eta", "a/b", "c/d")[0], 1)

    def test_what_if_takes_jobs_for_those_that_the_service_has(self):
        self.apply_queues()
        first, then = (os.path.join(self.folder, name) for name in ("first.json", "then.json"))
        job = elastic_job("train", 2)
        with open(first, "w", encoding="utf-8") as file:
            json.dump(manifest_list([job, pod_of_group("a")]), file)
        self.assertEqual(self.remote("submit", "-f", first)[0], 0)
        self.server.wait_for(lambda: self.server.states()["job-train"] == "admitted")
        job["metadata"]["uid"] = "0a1b2c3d-0000-4000-8000-000000000001"
        with open(then, "w", encoding="utf-8") as file:
            json.dump(manifest_list([job, pod_of_group("b")]), file)
        words = ("what-if", "--with", then, "-o", "json")
        here = muster(*words, "--db", self.server.db)
        self.assertEqual(here[0], 0, here)
        self.assertEqual([(each["workload"], each["change"])
                          for each in json.loads(here[1])["changes"]], [("team-a/pair", "starts")])
        self.assertEqual(self.remote(*words), here)

    def test_a_refusal_has_the_cure_that_a_ledger_tells(self):
        self.begin_both()
        for words in (("cq", "team-a-cq"), ("flavor", "default")):
            for code, _, err in (self.remote("delete", *words),
                                 muster("delete", *words, "--db", self.local)):
                self.assertEqual(code, 2, err)
                self.assertRegex(err, "; delete that first, or .*add --force", words)
        for words, word in ((("explain", "team-a/tran"), "train"),
                            (("what-if", "--quota", "team-a-cq"), "QUEUE/FLAVOR/RESOURCE=N"),
                            (("what-if", "--quota", "team-a-cq/default/memory=1"), "default/cpu")):
            asked = self.remote(*words)
            here = muster(*words, "--db", self.local)
            self.assertEqual(asked[0], here[0], (asked, here))
            self.assertIn(word, asked[2])
            self.assertIn(word, here[2])

    def test_a_job_that_is_deactivated_is_said_to_leave(self):
        self.apply_queues()
        self.submit(workload("train", "2"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted")
        self.assertIn("Workload team-a/train evicting\n1 workload told to leave",
                      self.remote("update", "team-a/train", "--active", "false")[1])

    def test_questions_are_limited_and_answered_as_described(self):
        self.apply_queues()
        self.submit(workload("train", "8"), workload("wait", "4"))
        for query in ("futures=0", "futures=200", "questions=401", "futures=100&questions=100",
                      "arrivals=yes", "output=csv"):
            for target in ("/v1/eta", "/v1/workloads/team-a/wait/eta"):
                self.assert_refused(self.server.ask("GET", f"{target}?{query}"), 400)
        self.assert_refused(self.server.ask("GET", "/v1/workloads/team-a/none/eta"), 404)
        told = self.server.ask("GET", "/v1/workloads/team-a/wait/eta?futures=1&questions=0")
        self.assertEqual([each["workload"] for each in told.json["workloads"]], ["team-a/wait"])
        for body, status in (({"command": "finish"}, 400), ({"command": "no"}, 400),
                             ({"command": "cancel", "workloads": [
                                 {"namespace": "team-a", "name": "none"}]}, 404)):
            answer = self.server.ask("POST", "/v1/what-if", body)
            self.assertEqual(answer.status, status, answer.body)
        answer = self.server.ask("POST", "/v1/what-if", {
            "command": "cancel", "workloads": [{"namespace": "team-a", "name": "train"}]})
        self.assertEqual([(each["workload"], each["change"]) for each in answer.json["changes"]],
                         [("team-a/train", "is gone"), ("team-a/wait", "starts")])
        self.assertEqual(set(self.server.states()), {"train", "wait"})

    def test_jobs_live_and_end_the_same(self):
        queues = os.path.join(self.folder, "queues.yaml")
        with open(queues, "w", encoding="utf-8") as file:
            file.write(QUEUES)
        self.both("apply", "-f", queues)
        self.both("apply", "-f", queues)
        self.both("apply", "-f", queues, "-o", "json")
        self.both("apply", "-f", queues, "--quiet")
        self.both("consumer", "add", "gateway")
        jobs = manifest_list([workload(name) for name in ("a", "b", "c", "d")])
        self.both("submit", "-f", "-", text=json.dumps(jobs))
        self.settle()
        self.both("ready", "team-a/a")
        self.both("ready", "a", "-n", "team-a", "-o", "json")
        self.both("update", "team-a/a", "--priority", "7")
        self.both("update", "team-a/a", "--priority", "x", code=1)
        too_many = self.both("update", "team-a/a", "--reclaimable", "main=9", code=2)
        self.assertIn("reclaimablePods[0].count: 9 is more", too_many[2])
        self.both("finish", "team-a/a", "--failed")
        self.both("finish", "team-a/a")
        self.both("evict", "team-a/b", "--reason", "NodeMaintenance")
        self.both("evict", "team-a/a", "--reason", "NodeMaintenance", code=2)
        self.both("evicted", "--all")
        self.both("evicted", "--all")
        self.settle()
        self.both("cancel", "team-a/b", "team-a/c")
        self.both("cancel", "team-a/b", code=2)
        self.both("delete", "wl", "team-a/d")
        self.both("delete", "cq", "team-a-cq", code=2)
        self.assertEqual(self.remote("decisions", "gateway"),
                         muster("decisions", "gateway", "--db", self.server.db))
        told = json.loads(self.remote("decisions", "gateway", "-o", "json")[1])
        self.assertEqual([each["number"] for each in told["decisions"]],
                         list(range(1, told["last"] + 1)))
        self.both("acknowledge", "gateway", "1")
        self.both("acknowledge", "gateway", "999", code=2)
        self.assertIn(f"{told['last'] - 1}", self.remote("get", "consumers")[1])
        self.both("consumer", "remove", "gateway")
        self.both("decisions", "gateway", code=2)
        self.both("do", "-f", "-", text='[{"command": "advance"}, {"command": "advance"}]')
        self.both("do", "-f", "-", text='{"command": "advance"}')

    def test_an_elastic_job_grows_starts_and_ends_the_same(self):
        queues, file = (os.path.join(self.folder, name) for name in ("queues.yaml", "grow.yaml"))
        with open(queues, "w", encoding="utf-8") as out:
            out.write(QUEUES)
        self.both("apply", "-f", queues)

        def write(job):
            with open(file, "w", encoding="utf-8") as out:
                json.dump(job, out)

        def grow(pods):
            write(elastic_job("grow", pods))
            self.both("submit", "-f", file)
            self.settle()

        grow(2)
        grow(4)
        for output in ("json", "yaml", "patch"):
            asked = self.both("start-patch", "team-a/grow", "-f", file, "-o", output)[1]
            if output == "json":
                self.assertEqual(json.loads(asked)["workload"], "team-a/job-grow-slice-2")
        self.both("explain", "team-a/grow")
        grow(3)
        self.both("start-patch", "team-a/none", "-f", file, code=2)
        write(elastic_job("grow", 3) | {"status": {"active": 3, "ready": 3}})
        self.assertIn("ready", self.both("observe", "-f", file)[1])
        self.assertIn("unchanged", self.both("observe", "-f", file, "-o", "json")[1])
        write(elastic_job("none", 3) | {"status": {"active": 3, "ready": 3}})
        self.both("observe", "-f", file, code=2)
        self.assertIn("grow.yaml:1:", self.remote("observe", "-f", file)[2])
        write(elastic_job("grow", 3))
        for said in (self.both("observe", "-f", file),
                     muster("observe", "-f", file, "--db", self.local)):
            self.assertIn("unchanged", said[1])
            self.assertIn("has no field status", said[2])
        grow(9)
        self.both("ready", "team-a/grow")
        self.both("finish", "team-a/grow")
        self.both("get", "wl")

    def test_what_is_read_of_the_history_is_that_of_the_ledger(self):
        self.apply_queues()
        self.submit(workload("train", "2"), workload("wait", "20"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted" and
                             "wait" in self.remote("get", "wl", "--state", "parked")[1])
        span = ("--since", "2020-01-01", "--until", "2020-01-02")
        for words in (("usage", *span), ("usage", *span, "--by", "user", "-o", "json"),
                      ("policy", "list", "-o", "json"), ("policy", "list"),
                      ("describe", "wl", "team-a/wait"), ("describe", "wl", "wait", "-n", "team-a"),
                      ("describe", "cq", "team-a-cq", "-o", "yaml"),
                      ("describe", "cq", "none")):
            said = [re.sub(r"\b\d+[smh](\d+[smh])?\b *", "", repr(muster(*words, *where)))
                    for where in (("--server", self.url), ("--db", self.server.db))]
            self.assertEqual(said[0], said[1], words)
        self.assertEqual(self.remote("usage", "--by", "x")[0], 1)
        self.assertEqual(self.remote("usage", "--since", "2021-01-01", "--until", "2020-01-01")[0],
                         2)
        for query in ("kind=wl&name=--db%3D/etc/passwd", "kind=--server&name=x", "kind=wl"):
            self.assert_refused(self.server.ask("GET", "/v1/describe?" + query), 400)
        self.assert_refused(self.server.ask("GET", "/v1/usage?db=x"), 400)
        self.assert_refused(self.server.ask("GET", "/v1/usage?by=--db%3Dx"), 400, "--by takes")

    def test_top_is_that_of_the_ledger_and_fits(self):
        self.apply_queues()
        self.submit(workload("train", "6"), *(workload(f"wait-{i}", "9") for i in range(30)))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted")

        def frame(*words):
            """Without its first line, which has the time, and without ages."""
            code, text, err = muster(*words)
            self.assertEqual(code, 0, err)
            return [re.sub(r" \d+s +", " 0s ", line) for line in text.splitlines()[1:]]
        self.server.wait_for(  # until all that waits has been looked at
            lambda: frame("top", "--server", self.url) ==
            frame("top", "--once", "--db", self.server.db))
        asked = frame("top", "--server", self.url)
        text = "\n".join(asked)
        for word in ("all (cohort)", "  team-a-cq  1 run, 30 wait", "[#############+++++++]",
                     "6 of 4, 2 borrowed", "2 lent", "Waiting, the most urgent first"):
            self.assertIn(word, text)
        self.assertEqual(text.count("team-a/wait-"), 30)
        for width, height in ((100, 20), (40, 10), (200, 500), (80, 5), (40, 1)):
            told = self.server.ask("GET", f"/v1/top?width={width}&height={height}").body.decode()
            lines = told.splitlines()
            self.assertLessEqual(len(lines), max(height, 3), told)
            self.assertLessEqual(max(map(len, lines)), width, told)
            if height == 20:
                self.assertRegex(told, r"and \d+ workloads more")
        for query in ("width=0", "width=501", "height=x", "widht=5"):
            self.assert_refused(self.server.ask("GET", "/v1/top?" + query), 400)

    def test_top_draws_on_a_terminal_until_it_is_interrupted(self):
        self.apply_queues()
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        with subprocess.Popen([MUSTER, "top", "--server", self.url, "--every", "1"],
                              stdout=follower, stderr=subprocess.PIPE) as process:
            os.close(follower)
            seen = b""
            while seen.count(b"Nothing waits.") < 2:
                seen += os.read(leader, 65536)
            process.send_signal(signal.SIGINT)
            try:
                while True:
                    seen += os.read(leader, 65536)
            except OSError:
                pass
            os.close(leader)
            self.assertEqual(process.wait(10), 0, process.stderr.read())
        self.assertTrue(seen.startswith(b"\x1b[?1049h"))
        self.assertTrue(seen.endswith(b"\x1b[?1049l"))
        self.assertIn(b"team-a-cq", seen)

    def test_mistakes_are_told_where_they_stand(self):
        good = os.path.join(self.folder, "good.yaml")
        bad = os.path.join(self.folder, "bad.yaml")
        with open(good, "w", encoding="utf-8") as file:
            file.write(QUEUES)
        with open(bad, "w", encoding="utf-8") as file:
            file.write("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\n"
                       "metadata: {name: q}\nspec:\n  cohrot: x\n")
        here = muster("apply", "-f", good, bad, "--db", self.local)
        asked = self.remote("apply", "-f", good, bad)
        self.assertEqual(asked, here)
        self.assertIn("bad.yaml:5:3", asked[2])
        with tempfile.TemporaryDirectory() as two:
            for name in ("a.json", "b.json"):
                with open(os.path.join(two, name), "w", encoding="utf-8") as file:
                    file.write('{"command": "advance"}')
            code, out, err = self.remote("do", "-f", two)
            self.assertEqual((code, out), (1, ""))
            self.assertIn("do: -f takes one file", err)
        code, out, err = self.remote("do", "-f", "-", text='[\n{"command": "advnace"}]')
        self.assertEqual((code, out), (2, ""))
        self.assertIn("line 2", err)

    def test_a_verb_without_counterpart_says_so(self):
        for words in (("ledger", "verify", "x"), ("validate", "-f", "x"), ("token", "list"),
                      ("schedule", "-f", "x"), ("policy", "rollback"), ("version",)):
            code, out, err = self.remote(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn("no service does that", err)
        for words in (("get", "wl", "--db", "x"), ("get", "wl", "-f", "x"), ("get", "wl", "-w"),
                      ("explain", "a/b", "--last-cycle"), ("apply", "-f", "x", "--dry-run"),
                      ("finish", "a/b", "--now", "2026-01-01T00:00:00Z")):
            code, out, err = self.remote(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn("not for a service", err)

    def test_words_of_the_service_stand_anywhere_once(self):
        for words in (("--server", self.url, "get", "cq"), ("get", "--server", self.url, "cq"),
                      ("get", "cq", f"--server={self.url}"),
                      ("get", "cq", "--server", self.url + "/")):
            self.assertEqual(muster(*words), (0, "", "no clusterqueue\n"), words)
        for words, word in ((("get", "cq", "--server"), "needs a value"),
                            (("get", "cq", "--server="), "needs a value"),
                            (("get", "cq", "--server", "a", "--server", "b"), "twice"),
                            (("get", "cq", "--token", "t"), "--server"),
                            (("get", "cq", "--server", "127.0.0.1"), "http://127.0.0.1:8484"),
                            (("get", "cq", "--server", "ftp://x"), "http://"),
                            (("get", "cq", "--server", "http://x:y"), "http://"),
                            (("get", "cq", "--server", "http://x/path"), "http://"),
                            (("get", "cq", "--server", self.url, "--token", "a b"), "token")):
            code, out, err = muster(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn(word, err)

    def test_the_environment_names_a_service_for_verbs_that_would_need_a_ledger(self):
        env = {"MUSTER_SERVER": self.url}
        self.apply_queues()
        self.assertIn("team-a-cq", muster("get", "cq", env=env)[1])
        queues = os.path.join(self.folder, "queues.yaml")
        with open(queues, "w", encoding="utf-8") as file:
            file.write(QUEUES.replace("team-a-cq", "other-cq"))
        self.assertIn("other-cq", muster("get", "cq", "-f", queues, env=env)[1])
        self.assertEqual(muster("validate", "-f", queues, env=env)[0], 0)
        self.assertEqual(muster("get", "cq", env={"MUSTER_SERVER": "x"})[0], 1)

    def test_what_does_not_answer_is_named(self):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}"
            code, out, err = muster("get", "cq", "--server", url)
        self.assertEqual((code, out), (3, ""))
        self.assertIn(url, err)
        self.server.kill()
        self.assertEqual(self.remote("finish", "a/b")[0], 3)


class RemoteTokens(ServiceTest):
    """A team asks with its own token."""

    def test_a_team_sees_and_does_what_its_token_may(self):
        file = os.path.join(self.folder, "tokens.json")
        made = {}
        for name, role in (("admin", ["admin"]),
                           ("team", ["submitter", "--of", "namespace:team-a"])):
            made[name] = muster("token", "create", name, "--role", *role, "--tokens",
                                file)[1].strip()
        server = self.serve("--tokens", file, db="tokens.ledger", token=made["admin"])
        self.apply_queues(server)
        url = f"http://127.0.0.1:{server.port}"
        env = {"MUSTER_SERVER": url, "MUSTER_TOKEN": made["team"]}
        jobs = {team: json.dumps(workload("job", ns=f"team-{team}")) for team in "ab"}
        self.assertEqual(muster("submit", "-f", "-", text=jobs["a"], env=env)[0], 0)
        code, _, err = muster("submit", "-f", "-", text=jobs["b"], env=env)
        self.assertEqual(code, 2)
        self.assertIn("submitter", err)
        for words in (("get", "wl"), ("get", "wl", "-o", "wide"), ("get", "lq"), ("get", "cq"),
                      ("get", "wl", "-o", "yaml")):
            code, out, err = muster(*words, env=env)
            self.assertEqual(code, 0, err)
            self.assertIn("team-a", out)
            self.assertNotIn("team-b", out.replace("team-b-cq", ""), words)
        self.assertEqual(muster("get", "accounts", env=env)[0], 2)
        self.assertEqual(muster("finish", "team-a/job", env=env)[0], 2)
        self.assertEqual(muster("cancel", "team-a/job", env=env)[0], 0)
        code, _, err = muster("get", "wl", "--server", url)
        self.assertEqual(code, 2)
        self.assertIn("no token", err)
        self.assertEqual(muster("get", "wl", "--server", url, "--token", made["admin"])[0], 0)


if __name__ == "__main__":
    unittest.main()
