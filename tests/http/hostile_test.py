"""What is no good request is refused, names why, and leaves the service as it was."""

import json
import resource
import socket
import time
import unittest

from service import IN_TIME, ServiceTest, workload

HEAD = b"Host: 127.0.0.1\r\n"


class Hostile(ServiceTest):
    """Each test sends what it should not; afterwards the service still answers."""

    def tearDown(self):
        self.assertEqual(self.server.ask("GET", "/readyz").status, 200)

    def status(self, data, **how):
        """Of the first answer to raw bytes; 0: it was closed without one."""
        received = self.server.raw(data, **how)
        return int(received.split(b" ")[1]) if received else 0

    def post(self, body, kind="application/json", path="/v1/commands"):
        """One POST of bytes."""
        return self.server.ask("POST", path, body, {"Content-Type": kind})

    def test_bytes_that_are_not_utf8_are_refused_everywhere(self):
        for bad in (b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"):
            self.assert_refused(self.post(b'{"command":"' + bad + b'"}'), 400, "UTF-8")
            self.assert_refused(self.post(b"kind: " + bad, "application/yaml", "/v1/apply"), 400,
                                "UTF-8")
            self.assertEqual(self.status(b"GET /healthz HTTP/1.1\r\nX: " + bad + b"\r\n" + HEAD +
                                         b"Connection: close\r\n\r\n"), 400)
        for escape in ("%ff", "%c0%af", "%ed%a0%80"):
            self.assert_refused(self.server.ask("GET", f"/v1/flavors/{escape}"), 400, "UTF-8")
            self.assert_refused(self.server.ask("GET", f"/v1/flavors?after={escape}"), 400, "UTF-8")

    def test_paths_do_not_climb(self):
        for path in ("/v1/../healthz", "/v1/./flavors", "//healthz", "/v1//flavors", "/healthz/",
                     "/v1/flavors/%2e%2e", "/v1/flavors/a%2fb", "/v1/flavors/a%5cb", "/%",
                     "/v1/flavors/%00", "/v1/flavors/%0d%0aX:", "/v1/flavors#x",
                     "/../../../etc/passwd", "/..%2f..%2fetc/passwd"):
            self.assert_refused(self.server.ask("GET", path), 400)
        self.assertEqual(self.status(b"GET http://127.0.0.1/healthz HTTP/1.1\r\n" + HEAD +
                                     b"Connection: close\r\n\r\n"), 400)
        self.assertEqual(self.status(b"GET healthz HTTP/1.1\r\n" + HEAD +
                                     b"Connection: close\r\n\r\n"), 400)

    def test_what_is_not_there_says_what_is(self):
        self.assert_refused(self.server.ask("GET", "/v1"), 404)
        self.assert_refused(self.server.ask("GET", "/v1/pods"), 404, "clusterqueues")
        self.assert_refused(self.server.ask("GET", "/v1/workloads/team-a"), 404, "NAMESPACE")
        self.assert_refused(self.server.ask("GET", "/v1/flavors/a/b"), 404)
        self.assert_refused(self.server.ask("GET", "/v1/workloads/a/b/explain"), 404)
        self.assert_refused(self.server.ask("GET", "/nothing"), 404)
        answer = self.server.ask("DELETE", "/v1/apply")
        self.assert_refused(answer, 405, "POST")
        self.assertEqual(answer.fields["allow"], "POST")
        self.assert_refused(self.server.ask("GET", "/v1/apply"), 405, "POST")
        self.assert_refused(self.server.ask("PUT", "/healthz"), 405, "GET")
        self.assert_refused(self.server.ask("DELETE", "/v1/workloads/a/b"), 405, "GET")

    def test_parameters_are_known_and_stand_once(self):
        for query, word in (("?x=1", "x"), ("?limit=0", "limit"), ("?limit=1001", "limit"),
                            ("?limit=1e3", "limit"), ("?limit=5&limit=6", "twice"),
                            ("?state=runing", "runing"), ("?=5", "NAME=VALUE"),
                            ("?limit=%zz", "%")):
            self.assert_refused(self.server.ask("GET", "/v1/workloads" + query), 400, word)
        self.assert_refused(self.server.ask("GET", "/v1/flavors?namespace=a"), 400, "namespace")
        self.assert_refused(self.server.ask("GET", "/v1/flavors?state=pending"), 400, "state")
        self.assert_refused(self.server.ask("POST", "/v1/apply?dryRun=yes", {}), 400, "dryRun")

    def test_another_type_of_body_is_refused(self):
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                     "application/json; charset=latin-1", "application/jsonx", ""):
            self.assert_refused(self.post(b"{}", kind), 415, "application/json")
        answer = self.post(b"{}", "Application/JSON; Charset=UTF-8")
        self.assertEqual(answer.status, 400, answer.body)

    def test_an_encoded_body_is_refused(self):
        for encoding in (b"gzip", b"identity, gzip"):
            sent = (b"POST /v1/commands HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                    b"Content-Type: application/json\r\nContent-Encoding: " + encoding +
                    b"\r\nContent-Length: 2\r\n\r\n[]")
            self.assertEqual(self.status(sent), 415)
            for plain in (b"identity", b"Identity", b""):
                self.assertEqual(self.status(sent.replace(encoding, plain)), 200)
            twice = b"\r\nContent-Encoding: " + encoding
            self.assertEqual(self.status(sent.replace(encoding, twice)), 415)

    def test_bodies_that_are_no_json_are_refused(self):
        for body in (b"", b"{", b"[", b"[]x", b"nul", b"[" * 100000, b'{"command":1e999}', b"\x00",
                     b'{"command":"advance","command":"advance"}', b'"advance"', b"7",
                     b'{"command":"finish","workloads":[{"namespace":"a","name":7}]}'):
            self.assert_refused(self.post(body), 400)
        for body in (b"", b"- - -", b"a: [", b"kind: Pod", b"&a [*a, *a]", b"!!binary x",
                     b"kind: Workload\nmetadata: {name: '" + b"x" * 100000 + b"'}", b"\x00",
                     b"%YAML 9.9", b"{" * 10000):
            self.assert_refused(self.post(body, "application/yaml", "/v1/apply"), 400)

    def test_too_many_commands_are_refused(self):
        self.assert_refused(self.post(json.dumps([{"command": "advance"}] * 10001)), 400)

    def test_huge_bodies_are_refused_before_they_are_read(self):
        begin = b"POST /v1/apply HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
        for length in (b"4194305", b"99999999999", b"18446744073709551615"):
            self.assertEqual(self.status(begin + b"Content-Length: " + length + b"\r\n\r\n"), 413)
        self.assertEqual(self.status(begin + b"Content-Length: 4194305\r\n"
                                             b"Expect: 100-continue\r\n\r\n"), 413)
        self.assertEqual(self.status(begin + b"Content-Length: 5\r\nExpect: coffee\r\n\r\n"), 417)
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        self.assertEqual(self.status([begin + b"Transfer-Encoding: chunked\r\n\r\n"] +
                                     [chunk] * 80), 413)
        for target in (b"/healthz", b"/v1/flavors"):
            self.assertEqual(self.status(b"GET " + target + b" HTTP/1.1\r\n" + HEAD +
                                         b"Content-Length: 5\r\n\r\nhello"), 400)

    def test_a_body_that_waits_to_be_asked_for_is_asked_for(self):
        body = b'{"command":"advance"}'
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
            connection.sendall(b"POST /v1/commands HTTP/1.1\r\n" + HEAD +
                               b"Content-Type: application/json\r\nExpect: 100-continue\r\n"
                               b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
            self.assertEqual(connection.recv(4096), b"HTTP/1.1 100 Continue\r\n\r\n")
            connection.sendall(body)
            self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 200 OK"))

    def test_two_meanings_of_one_request_are_refused(self):
        smuggled = b"GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
        begin = b"POST /v1/commands HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
        for fields in (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                       b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                       b"Content-Length: 5\r\nContent-Length: 6\r\n",
                       b"Content-Length: 5\r\nContent-Length: 5\r\n",
                       b"Content-Length: 5, 6\r\n", b"Content-Length: +5\r\n",
                       b"Content-Length: 0x5\r\n", b"Content-Length: -1\r\n",
                       b"Content-Length: 99999999999999999999999\r\n",
                       b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n",
                       b"Transfer-Encoding: chunked, identity\r\n",
                       b"Transfer-Encoding: identity\r\n",
                       b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
                       b"Transfer-Encoding : chunked\r\n", b"Content-Length : 5\r\n",
                       b"Host: elsewhere\r\n", b"Authorization: a\r\nAuthorization: b\r\n"):
            received = self.server.raw(begin + fields + b"\r\n0\r\n\r\n" + smuggled)
            self.assertEqual(received.count(b"Content-Type: "), 1, (fields, received))
            self.assertTrue(received.startswith(b"HTTP/1.1 400 "), fields)
        self.assertEqual(self.status(b"GET /healthz HTTP/1.1\r\n\r\n"), 400)
        self.assertEqual(self.status(
            b"POST /v1/commands HTTP/1.0\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"), 400)

    def test_chunks_that_are_none_are_refused(self):
        begin = (b"POST /v1/commands HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
                 b"Transfer-Encoding: chunked\r\n\r\n")
        for chunk in (b"zz\r\n", b"-1\r\n", b"5\nhello\r\n", b"5\r\nhelloXX",
                      b"ffffffffffffffffff\r\n", b" 5\r\nhello\r\n"):
            self.assertEqual(self.status(begin + chunk + b"\r\n"), 400, chunk)
        good = b'15\r\n{"command":"advance"}\r\n0\r\n\r\n'
        closing = begin.replace(b"chunked\r\n", b"chunked\r\nConnection: close\r\n")
        received = self.server.raw(closing + good)
        self.assertIn(b'{"answer":"done"}', received)

    def test_what_is_no_http_is_refused(self):
        for line in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"hello\r\n\r\n",
                     b"GET /healthz HTTP/2.0\r\n\r\n", b"GET /healthz\r\n\r\n",
                     b"GET  /healthz HTTP/1.1\r\n\r\n", b"G\x00T / HTTP/1.1\r\n\r\n",
                     b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
                     b"GET /healthz HTTP/1.1\r\n: empty\r\n\r\n"):
            self.assertIn(self.status(line), (0, 400), line)

    def test_long_heads_are_refused(self):
        self.assertEqual(self.status(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 20000 +
                                     b"\r\n\r\n"), 431)
        self.assertEqual(self.status(b"GET /healthz HTTP/1.1\r\n" + HEAD + b"X: y\r\n" * 5000 +
                                     b"\r\n"), 431)
        self.assert_refused(self.server.ask("GET", "/v1/flavors?after=" + "x" * 5000), 414)

    def test_a_page_of_another_site_may_not_ask(self):
        self.assert_refused(self.server.ask("GET", "/v1/flavors", fields={
            "Origin": "http://elsewhere.example"}), 403, "elsewhere")
        self.assert_refused(self.server.ask("GET", "/v1/flavors", fields={"Origin": "null"}), 403)
        for host in ("rebound.example:8484", "127.0.0.1.example", "127.example:80", "[::2]", ""):
            self.assert_refused(self.server.ask("GET", "/v1/flavors", fields={"Host": host}), 403)
        own = f"127.0.0.1:{self.server.port}"
        self.assertEqual(self.server.ask("GET", "/v1/flavors", fields={
            "Origin": "http://" + own}).status, 200)

    def test_slow_senders_hold_up_none(self):
        slow = [socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
                for _ in range(200)]
        for number, connection in enumerate(slow):
            connection.sendall(b"GET /healthz HTTP/1.1\r\nX: "[:number % 20 + 1])
        begin = time.monotonic()
        self.assertEqual(self.server.ask("GET", "/healthz").status, 200)
        self.assertLess(time.monotonic() - begin, 2)
        for connection in slow:
            connection.close()

    def test_a_stop_waits_for_none_that_says_nothing(self):
        post = b"POST /v1/commands HTTP/1.1\r\n" + HEAD + b"Content-Type: application/json\r\n"
        said = (b"", b"GET /h", b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n",
                post + b"Content-Length: 50\r\n\r\n{", post + b"Expect: 100-continue\r\n",
                post + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhe",
                post + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
                b"GET /v1/decisions?after=0 HTTP/1.1\r\nAccept: text/event-stream\r\n" + HEAD +
                b"\r\n", b"GET /v1/decisions?after=0&wait=60 HTTP/1.1\r\n" + HEAD + b"\r\n")
        stopped = self.serve(db="stopped.ledger")
        open_ones = []
        for number in range(50 * len(said)):
            connection = stopped.connect_raw()
            connection.sendall(said[number % len(said)])
            open_ones.append(connection)
        self.assertEqual(stopped.ask("GET", "/readyz").status, 200)
        self.assertLess(stopped.stop(), IN_TIME)
        for connection in open_ones:
            connection.close()

    def test_requests_in_one_packet_are_answered_in_turn(self):
        one = b"GET /healthz HTTP/1.1\r\n" + HEAD + b"\r\n"
        last = b"GET /healthz HTTP/1.1\r\n" + HEAD + b"Connection: close\r\n\r\n"
        self.assertEqual(self.server.raw(one * 50 + last).count(b"HTTP/1.1 200 OK"), 51)

    def test_head_has_the_fields_and_no_body(self):
        received = self.server.raw(b"HEAD /healthz HTTP/1.1\r\n" + HEAD +
                                   b"Connection: close\r\n\r\n")
        head, _, body = received.partition(b"\r\n\r\n")
        self.assertIn(b"Content-Length:", head)
        self.assertEqual(body, b"")

    def test_a_client_that_leaves_is_forgotten(self):
        self.apply_queues()
        body = json.dumps(workload("left")).encode()
        with socket.create_connection(("127.0.0.1", self.server.port)) as connection:
            connection.sendall(b"POST /v1/submit HTTP/1.1\r\n" + HEAD +
                               b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                               % len(body) + body)
        self.server.wait_for(lambda: "left" in self.server.states())


class LongSlow(ServiceTest):
    """Takes as long as the limits are."""

    def test_a_head_that_does_not_end_is_closed(self):
        begin = time.monotonic()
        received = self.server.raw([b"GET /healthz HTTP/1.1\r\n"] + [b"X: y\r\n"] * 30, pause=0.5)
        self.assertEqual(received, b"")
        self.assertLess(time.monotonic() - begin, 20)

    def test_ten_thousand_half_open_connections_hold_up_none(self):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        connections = []
        for _ in range(10000):
            connection = socket.create_connection(("127.0.0.1", self.server.port), timeout=30)
            connection.sendall(b"GET /h")
            connections.append(connection)
        begin = time.monotonic()
        self.assertEqual(self.server.ask("GET", "/readyz").status, 200)
        self.assertLess(time.monotonic() - begin, 2)
        for connection in connections:
            connection.close()


if __name__ == "__main__":
    unittest.main()
