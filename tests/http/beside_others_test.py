"""muster --server: what others do, or what fails, while a verb asks a service several times."""

import http.server
import json
import threading
import unittest

from service import QUEUES, ServiceTest, muster, workload


class Between(http.server.ThreadingHTTPServer):
    """Stands between a verb and a service, and may do something before it passes a request on."""

    daemon_threads = True

    def __init__(self, server, before):
        """`before(method, target)` answers a status with which the request fails, or None."""
        class Handler(http.server.BaseHTTPRequestHandler):
            """Passes on."""

            def do_GET(self):  # pylint: disable=invalid-name
                """As any request."""
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, text = before(self.command, self.path), b"{}"
                if status is None:
                    kind = self.headers.get("Content-Type")
                    answer = server.ask(self.command, self.path, body or None,
                                        {"Content-Type": kind} if kind else ())
                    status, text = answer.status, answer.body
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_GET  # pylint: disable=invalid-name

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Says nothing."""

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def ask(self, *words):
        """A verb through it, which then ends."""
        with self:
            done = muster("--server", f"http://127.0.0.1:{self.server_address[1]}", *words)
            self.shutdown()
        return done


class RemoteBesideOthers(ServiceTest):
    """What others do, or what fails, while a verb asks several times."""

    def begin(self):
        super().begin()
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.apply_queues()
        self.submit(workload("train", "2"), workload("b", "1", "team-b"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted" and
                             self.server.states("team-b")["b"] == "admitted")

    def remote(self, *words):
        """Asked of the service itself."""
        return muster("--server", self.url, *words)

    def through(self, words, on_listing=None, on_command=None):
        """`words` asked; at the first and second listing of evictions `on_listing(number)` says
        with which status it fails, and before commands `on_command` runs."""
        listings = []

        def before(method, target):
            if "state=evicting" in target:
                listings.append(target)
                return on_listing(len(listings)) if on_listing else None
            if method == "POST" and on_command:
                on_command()
            return None

        return Between(self.server, before).ask(*words)

    def test_what_is_done_is_not_called_a_failure(self):
        def fails(number):
            return 503 if number == 2 else None

        for words, said in ((("stop", "team-a-cq"), "ClusterQueue team-a-cq stopped\n"),
                            (("update", "team-a/train", "--active", "false"),
                             "Workload team-a/train updated\n")):
            code, out, err = self.through(words, fails)
            self.assertEqual((code, out), (0, said), err)
            self.assertIn("this is done, but what has to leave cannot be listed now", err)
        code, out, err = self.through(("delete", "lq", "team-a/main", "--force"),
                                      lambda number: 503)
        self.assertEqual((code, out, err), (0, "LocalQueue team-a/main deleted\n", ""))

    def test_evictions_by_others_are_not_said_to_be_of_it(self):
        def other():
            answer = self.server.ask("POST", "/v1/commands", {
                "command": "evict", "reason": "Other",
                "workload": {"namespace": "team-b", "name": "b"}})
            self.assertEqual(answer.status, 200, answer.body)

        code, out, err = self.through(("stop", "team-a-cq", "--drain"), on_command=other)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("b", self.remote("get", "wl", "--state", "evicting")[1])
        self.assertIn("Workload team-a/train evicting\n1 workload told to leave", out)
        self.assertNotIn("team-b/b", out)

    def test_what_others_change_while_it_asks_stays(self):
        def more(number):
            if number == 1:  # before it reads the queue
                answer = self.server.ask(
                    "POST", "/v1/apply", QUEUES.replace("nominalQuota: 4", "nominalQuota: 17"),
                    {"Content-Type": "application/yaml"})
                self.assertEqual(answer.status, 200, answer.body)

        self.assertEqual(self.through(("stop", "team-a-cq"), more)[0], 0)
        told = json.loads(self.remote("get", "cq", "team-a-cq", "-o", "json")[1])
        told = told.get("items", [told])[0]["spec"]
        self.assertEqual(told["stopPolicy"], "Hold")
        quota = told["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"]
        self.assertEqual(str(quota), "17")

    def test_an_unknown_name_is_answered_with_the_one_that_is_near(self):
        for words, near in (
                (("stop", "taem-a-cq"), "write team-a-cq"),
                (("stop", "nowhere"), "muster get cq lists them"),
                (("resume", "team-a/mian"), "write main"),
                (("cancel", "team-a/trian"), 'write "team-a/train"'),
                (("cancel", "team-a/zzz"), "muster get workloads -n team-a lists")):
            code, _, err = self.remote(*words)
            self.assertEqual(code, 2, err)
            self.assertIn(near, err)


if __name__ == "__main__":
    unittest.main()
