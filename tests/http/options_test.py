"""How a service is set up: limits of each token, TLS, its file of options, its unit."""

import configparser
import os
import re
import ssl
import subprocess
import tempfile
import time
import unittest
import warnings

from service import QUEUES, Server, ServiceTest, Stream, manifest_list, muster, workload

SOURCES = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Policies(ServiceTest):
    """Packages in the folder of --policies."""

    def put(self, name, folder=None, hook="w.gpus"):
        """A package in the folder."""
        folder = os.path.join(self.folder, "packages", folder or name)
        os.makedirs(folder)
        with open(os.path.join(folder, "policy.lua"), "w", encoding="utf-8") as file:
            file.write(f"return {{ api = 1, name = '{name}', "
                       f"queue_order = function(w) return {hook} end }}\n")

    def await_policies(self, server, names):
        """Waits until these are active, for as long as a busy machine may need."""
        for _ in range(600):
            answer = server.ask("GET", "/v1/policies")
            self.assertEqual(answer.status, 200)
            if all(f'"{name}"' in answer.body.decode() for name in names):
                return
            time.sleep(0.1)
        self.fail(f"{names} are not active: {answer.body}")

    def test_a_package_that_comes_later_is_taken_too(self):
        self.put("first")
        server = self.serve("--policies", os.path.join(self.folder, "packages"),
                            db="policies.ledger")
        self.await_policies(server, ["first"])
        self.put("later")
        self.await_policies(server, ["first", "later"])
        self.apply_queues(server)
        jobs = manifest_list([workload("big", "9"), workload("small"), workload("other")])
        self.assertEqual(server.ask("POST", "/v1/submit", jobs).status, 200)
        active = {each["name"]: each["hash"] for each in server.ask("GET", "/v1/policies")
                  .json["items"]}

        def used(family):
            told = server.ask("GET", "/metrics").body.decode()
            return {one[0]: int(one[1]) for one in re.findall(
                "muster_policy_" + family + r'_total\{hash="(\w+)"\} (\d+)', told)}
        server.wait_for(lambda: used("calls").get(active["later"], 0) > 0)
        self.assertGreater(used("fuel")[active["later"]], 0)

    def test_neither_a_hidden_folder_nor_a_copy_takes_the_place_of_a_package(self):
        self.put("first")
        self.put("first", "first-copy", hook="1")  # the second of the two
        server = self.serve("--policies", os.path.join(self.folder, "packages"),
                            db="copies.ledger")
        self.await_policies(server, ["first"])
        active = server.ask("GET", "/v1/policies").json
        self.put("hidden", ".hidden")
        self.put("first", "second-copy", hook="2")
        copies = {"first-copy", "second-copy"}
        while copies:
            line = server.process.stderr.readline()
            self.assertTrue(line, f"it ended without a word of {copies}")
            if "has package first already" in line:
                copies = {copy for copy in copies if copy not in line}
        self.assertEqual(server.ask("GET", "/v1/policies").json, active)
        self.put("later")  # is found a look after the hidden one would have been
        self.await_policies(server, ["first", "later"])
        self.assertNotIn(b"hidden", server.ask("GET", "/v1/policies").body)


class Limits(ServiceTest):
    """What each token may ask in a second."""

    def begin(self):
        self.file = os.path.join(self.folder, "tokens.json")
        self.tokens = {name: muster("token", "create", name, "--role", "admin", "--tokens",
                                    self.file)[1].strip() for name in ("one", "two")}

    def asked(self, server, count, token="one"):
        """Statuses of so many requests, and the Retry-After of those that have one."""
        connection = server.connect()
        answers = [server.ask("GET", "/v1/flavors", connection=connection,
                              token=self.tokens[token]) for _ in range(count)]
        connection.close()
        return ([each.status for each in answers],
                [int(each.fields["retry-after"]) for each in answers if each.status == 429])

    def test_more_requests_than_a_token_may_are_refused_and_it_may_come_back(self):
        server = self.serve("--tokens", self.file, "--token-rate", "5")
        statuses, waits = self.asked(server, 60)
        taken = statuses.count(200)
        self.assertEqual(statuses[:10], [200] * 10)
        self.assertEqual(set(statuses), {200, 429})
        self.assertLess(taken, 40)
        self.assertTrue(all(1 <= wait <= 3 for wait in waits), waits)
        self.assertEqual(self.asked(server, 10, "two")[0], [200] * 10)
        self.assertEqual(server.ask("GET", "/healthz").status, 200)
        time.sleep(waits[-1])
        self.assertEqual(self.asked(server, 1)[0], [200])

    def test_a_refusal_says_the_token_and_when(self):
        server = self.serve("--tokens", self.file, "--token-rate", "1", db="slow.ledger")
        for _ in range(20):
            answer = server.ask("GET", "/v1/flavors", token=self.tokens["one"])
            if answer.status == 429:
                break
        self.assert_refused(answer, 429, "token one asks for more than its share")
        self.assertIn("come back in", answer.json["cure"])

    def test_large_bodies_are_paid_for(self):
        server = self.serve("--tokens", self.file, "--token-bytes", "1000", db="bytes.ledger",
                            token=self.tokens["one"])
        big = (QUEUES + "#" * 6000).encode()
        answers = [server.ask("POST", "/v1/apply", big, {"Content-Type": "application/yaml"})
                   for _ in range(2)]
        self.assertEqual([each.status for each in answers], [200, 429])
        self.assertGreaterEqual(int(answers[1].fields["retry-after"]), 3)
        self.assertEqual(server.ask("GET", "/v1/flavors").status, 200)
        chunked = (b"POST /v1/apply HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
                   b"Content-Type: application/yaml\r\nTransfer-Encoding: chunked\r\n"
                   b"Authorization: Bearer " + self.tokens["two"].encode() + b"\r\n\r\n" +
                   b"%x\r\n%s\r\n0\r\n\r\n" % (len(big), big))
        self.assertIn(b" 200 ", server.raw(chunked)[:20])
        self.assertIn(b" 429 ", server.raw(chunked)[:20])

    def test_without_a_limit_there_is_none(self):
        server = self.serve("--tokens", self.file, db="free.ledger")
        self.assertEqual(set(self.asked(server, 300)[0]), {200})


class Tls(ServiceTest):
    """A service with a certificate, asked by clients that check it."""

    @classmethod
    def setUpClass(cls):
        cls.made = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.made.cleanup)
        cls.cert, cls.key = (os.path.join(cls.made.name, name) for name in ("cert.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-keyout", cls.key, "-out", cls.cert], check=True, capture_output=True)

    def begin(self):
        self.server = self.serve("--tls-cert", self.cert, "--tls-key", self.key)
        self.server.trusted = self.cert

    def test_requests_streams_and_the_command_line_pass_through_tls(self):
        self.apply_queues()
        self.server.ask("POST", "/v1/commands",
                        {"command": "register-consumer", "consumer": "gateway"})
        self.submit(workload("train"))
        self.server.wait_for(lambda: self.server.states()["train"] == "admitted")
        with Stream(self.server, "/v1/decisions?after=0") as stream:
            self.assertEqual(stream.event().id, "1")
        streams = [Stream(self.server, "/v1/decisions?after=0") for _ in range(10)]
        self.submit(*(workload(f"small-{number}", "1m") for number in range(100)))
        for stream in streams:
            with stream:
                self.assertEqual([int(stream.event().id) for _ in range(101)],
                                 list(range(1, 102)))
        url = f"https://127.0.0.1:{self.server.port}"
        here = muster("get", "wl", "--db", self.server.db)
        trusting = {"SSL_CERT_FILE": self.cert}
        self.assertEqual(muster("get", "wl", "--server", url, env=trusting), here)
        self.assertEqual(muster("get", "wl", "--server", url.replace("127.0.0.1", "localhost"),
                                env=trusting), here)
        many = "".join(f"---\n{name}\n" for name in [QUEUES] * 50)
        self.assertEqual(self.server.ask("POST", "/v1/apply?dryRun=true", many[:200000],
                                         {"Content-Type": "application/yaml"}).status, 400)

    def test_what_is_not_trusted_is_not_asked(self):
        url = f"https://127.0.0.1:{self.server.port}"
        code, out, err = muster("get", "wl", "--server", url, "--token", "secret",
                                env={"SSL_CERT_FILE": os.devnull})
        self.assertEqual((code, out), (3, ""))
        self.assertIn("no trust in " + url, err)

    def test_what_is_no_tls_is_closed_and_holds_up_none(self):
        for data in (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"\x16\x03\x01\x00\x00", b"",
                     os.urandom(500)):
            self.assertNotIn(b"HTTP/1.1 200", self.server.raw(data, timeout=1))
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        old.check_hostname = False
        old.verify_mode = ssl.CERT_NONE
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # that is the point
            old.minimum_version = ssl.TLSVersion.TLSv1
            old.maximum_version = ssl.TLSVersion.TLSv1_1
        with self.server.connect_raw() as plain, self.assertRaises((ssl.SSLError, OSError)):
            old.wrap_socket(plain)
        self.assertEqual(self.server.ask("GET", "/readyz").status, 200)

    def test_a_large_body_is_refused_through_tls(self):
        connection = self.server.connect()
        connection.putrequest("POST", "/v1/apply")
        connection.putheader("Content-Type", "application/yaml")
        connection.putheader("Content-Length", str(5 << 20))
        connection.endheaders(b" " * 100_000)
        self.assertEqual(connection.getresponse().status, 413)
        connection.close()

    def test_files_that_are_none_are_named(self):
        for flags, word in ((("--tls-cert", self.cert), "go together"),
                            (("--tls-cert", self.key, "--tls-key", self.key), self.key),
                            (("--tls-cert", self.cert, "--tls-key", self.cert), self.cert),
                            (("--tls-cert", "none.pem", "--tls-key", self.key), "none.pem")):
            code, _, err = muster("serve", "--db", os.path.join(self.folder, "x.ledger"),
                                  "--listen", "127.0.0.1:0", *flags)
            self.assertIn(code, (1, 2), err)
            self.assertIn(word, err)


class Config(ServiceTest):
    """Options in a file."""

    def begin(self):
        self.config = os.path.join(self.folder, "serve.conf")

    def write(self, text):
        """The file, which is to say this."""
        with open(self.config, "w", encoding="utf-8") as file:
            file.write(text)

    def test_the_file_says_what_the_command_line_does_not(self):
        tokens = os.path.join(self.folder, "tokens.json")
        muster("token", "create", "one", "--role", "admin", "--tokens", tokens)
        self.write(f"# ours\n\n  db = {self.folder}/other.ledger\nlisten=0.0.0.0:1\r\n"
                   f"tokens = {tokens}\n")
        server = self.serve("--config", self.config)  # with --db and --listen
        self.assertEqual(server.ask("GET", "/v1/flavors").status, 401)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "other.ledger")))

    def test_mistakes_have_their_line(self):
        for line, word in (("lisen = x", "--listen"), ("listen", "NAME = VALUE"),
                           ("listen =", "needs a value"), ("tick = 0", "--tick"),
                           ("config = x", "--config"), ("force = true", "--force"),
                           ("db = a\ndb = b", "twice")):
            self.write("# first\n" + line)
            code, _, err = muster("serve", "--config", self.config)
            self.assertEqual(code, 2, err)
            self.assertRegex(err, rf"serve\.conf:[23]: .*{re.escape(word)}")
        self.assertEqual(muster("serve", "--config", "none.conf")[0], 1)

    def test_words_that_make_no_sense_are_wrong_use_and_leave_no_ledger(self):
        ledger = os.path.join(self.folder, "never.ledger")
        none = os.path.join(self.folder, "none")
        with open(os.path.join(self.folder, "text"), "w", encoding="utf-8") as file:
            file.write("no certificate, no tokens")
        text = file.name
        for words in (["--listen", "99999"], ["--listen", "127.0.0.1:99999"],
                      ["--listen", "127.0.0.1:http"], ["--listen", "no.host:1"],
                      ["--listen", "[::1"], ["--listen", "0.0.0.0:8484"],
                      ["--tick", "0"], ["--tick", "x"], ["--wait", "soon"],
                      ["--token-rate", "-1"], ["--tokens", none],
                      ["--tokens", self.folder], ["--policies", none],
                      ["--tls-cert", text],
                      ["--tls-cert", none, "--tls-key", text],
                      ["--tls-cert", text, "--tls-key", none]):
            said = muster("serve", "--db", ledger, *words)
            self.assertEqual(said[0], 1, (words, said))
            self.assertFalse(os.path.exists(ledger), words)
        for words in (["--tokens", text], ["--tls-cert", text, "--tls-key", text]):
            said = muster("serve", "--db", ledger, "--listen", "127.0.0.1:0", *words)
            self.assertEqual(said[0], 2, "what the file holds is wrong: " + said[2])

    def test_the_file_that_is_installed_and_the_unit_are_good(self):
        folder = os.path.join(SOURCES, "cmake", "service")
        with open(os.path.join(folder, "serve.conf"), encoding="utf-8") as file:
            text = file.read()
        everything = re.sub(r"(?m)^#(?=[a-z-]+ = )", "", text)
        self.assertGreater(everything.count("="), text.count("\n") / 2)
        self.write(re.sub(r"(?m)^listen = .*$", "", everything).replace("/var/lib/muster",
                                                                       self.folder))
        code, _, err = muster("serve", "--config", self.config)
        self.assertEqual(code, 1, err)  # /etc/muster/policies is not here
        self.assertIn("/etc/muster/policies", err)
        unit = configparser.ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str
        unit.read(os.path.join(folder, "muster.service.in"))
        service = unit["Service"]
        self.assertTrue(service["ExecStart"].endswith(
            "muster serve --config /etc/muster/serve.conf"))
        self.assertEqual(service["ProtectSystem"], "strict")
        self.assertEqual(service["CapabilityBoundingSet"], "")
        self.assertNotIn("MemoryDenyWriteExecute", service)


if __name__ == "__main__":
    unittest.main()
