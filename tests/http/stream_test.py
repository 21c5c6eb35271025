"""Decisions as events: each once and in order, for many at a time, across every end of a stream."""

import os
import random
import socket
import subprocess
import threading
import time
import unittest

from service import IN_TIME, MUSTER, ServiceTest, Stream, workload


class StreamTest(ServiceTest):
    """A service with queues and a consumer, so that decisions are numbered."""

    def begin(self):
        super().begin()
        self.apply_queues()
        self.command("register-consumer", consumer="gateway")
        self.made = 0

    def command(self, name, **fields):
        """One command, which must be taken."""
        answer = self.server.ask("POST", "/v1/commands", {"command": name, **fields})
        self.assertEqual(answer.status, 200, answer.body)
        return answer.json

    def decide(self, count):
        """So many more decisions: jobs that start and end at once."""
        names = [f"job-{self.made + i}" for i in range(count)]
        self.submit(*(workload(name, "1m") for name in names))
        self.made += count
        self.wait_until_made()
        self.command("finish", workloads=[{"namespace": "team-a", "name": name} for name in names])

    def wait_until_made(self):
        """Until all that were submitted are decided."""
        self.server.wait_for(lambda: self.server.ask(
            "GET", "/v1/decisions?consumer=gateway&limit=1").json["last"] == self.made)

    def listen(self, query="?after=0", last=None, server=None, **how):
        """A stream that ends with the test."""
        stream = Stream(server or self.server, "/v1/decisions" + query, last, **how)
        self.addCleanup(stream.close)
        return stream


class Streams(StreamTest):
    """Listeners come and go."""

    def test_events_are_the_decisions(self):
        self.decide(3)
        stream = self.listen()
        self.assertEqual(stream.response.getheader("content-type"), "text/event-stream")
        heard = [stream.event() for _ in range(3)]
        self.assertEqual([each.id for each in heard], ["1", "2", "3"])
        self.assertEqual({each.name for each in heard}, {"decision"})
        told = self.server.ask("GET", "/v1/decisions?after=0").json["decisions"]
        self.assertEqual([each.json for each in heard], told)
        self.decide(1)
        self.assertEqual(stream.event().id, "4")

    def test_a_stream_begins_behind_the_cursor_of_its_consumer(self):
        self.decide(3)
        self.command("acknowledge", consumer="gateway", upto=2)
        self.assertEqual(self.listen("?consumer=gateway").event().id, "3")
        self.command("acknowledge", consumer="gateway", upto=3)
        behind = self.listen("?consumer=gateway")
        self.decide(1)
        self.assertEqual(behind.event().id, "4")

    def test_what_was_heard_last_goes_before_the_address(self):
        self.decide(3)
        for query in ("?after=0", "?consumer=gateway", ""):
            self.assertEqual(self.listen(query, last=2).event().id, "3")

    def test_who_comes_again_misses_none_and_hears_none_twice(self):
        chance = random.Random(1)
        more = threading.Thread(target=lambda: [self.decide(7) for _ in range(15)])
        more.start()
        heard, last = [], 0
        while len(heard) < 105:
            stream = self.listen(last=last)
            for _ in range(min(chance.randrange(1, 20), 105 - len(heard))):
                heard.append(int(stream.event().id))
            last = heard[-1]
            stream.close()
        more.join()
        self.assertEqual(heard, list(range(1, 106)))

    def test_many_hear_the_same_whenever_they_came(self):
        streams = []
        for begin in range(5):
            streams += [(after, self.listen(f"?after={after}")) for after in range(begin * 4 + 1)]
            self.decide(4)
        for after, stream in streams:
            self.assertEqual([int(stream.event().id) for _ in range(20 - after)],
                             list(range(after + 1, 21)))

    def test_long_texts_to_many_come_whole_whatever_each_does(self):
        quick = [self.listen() for _ in range(12)]
        slow = [self.listen(window=4096) for _ in range(2)]
        leaving, late, number = self.listen(), [], 0
        for step in range(10):
            self.decide(100)
            late += [(last, self.listen(last=last)) for last in (number, number + 50)]
            number = self.made
            for stream in quick[:6]:
                self.assertEqual([int(stream.event().id) for _ in range(100)],
                                 list(range(number - 99, number + 1)))
            if step == 4:
                leaving.close()
        told = self.server.ask("GET", "/v1/decisions?after=0&limit=1000").json["decisions"]
        self.assertEqual(len(told), 1000)
        for after, stream in [(0, each) for each in quick[6:] + slow] + late:
            self.assertEqual([stream.event().json for _ in told[after:]], told[after:])
        self.server.stop()
        for stream in quick + slow + [stream for _, stream in late]:
            self.assertIsNone(stream.event())
            self.assertTrue(stream.whole)

    def test_a_stream_goes_on_after_a_kill(self):
        self.decide(2)
        stream = self.listen()
        heard = [stream.event().id, stream.event().id]
        self.server.kill()
        self.assertIsNone(stream.event())
        again = self.server = self.serve()
        stream = self.listen(last=heard[-1], server=again)
        self.decide(2)
        heard += [stream.event().id, stream.event().id]
        self.assertEqual(heard, ["1", "2", "3", "4"])

    def test_what_cannot_begin_is_refused(self):
        self.decide(3)
        self.command("acknowledge", consumer="gateway", upto=2)
        events = {"Accept": "text/html;q=0.1, text/event-stream"}
        for query, last, status, word in (
                ("", None, 400, "after=NUMBER"), ("?after=1", None, 400, "ask from there"),
                ("?after=4", None, 400, "the newest is 3"), ("?after=x", None, 400, "'x'"),
                ("?consumer=none", None, 404, "none"), ("?after=3", "4", 400, "newest is 3"),
                ("?after=3", "-1", 400, "Last-Event-ID"), ("?after=3", "", 200, ""),
                ("?after=3&limit=5", None, 400, "limit"), ("?after=3&wait=5", None, 400, "wait")):
            fields = events if last is None else {**events, "Last-Event-ID": last}
            if status == 200:
                self.listen(query, last=last)
                continue
            self.assert_refused(self.server.ask("GET", "/v1/decisions" + query, fields=fields),
                                status, word)

    def test_a_stop_ends_streams_in_time(self):
        self.decide(1)
        streams = [self.listen() for _ in range(50)]
        self.assertEqual({stream.event().id for stream in streams}, {"1"})
        self.assertLess(self.server.stop(), IN_TIME)
        for stream in streams:
            self.assertIsNone(stream.event())
            self.assertTrue(stream.whole)

    def test_an_old_client_reads_until_the_end_and_head_has_no_body(self):
        self.decide(1)
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
            connection.sendall(b"GET /v1/decisions?after=0 HTTP/1.0\r\nHost: 127.0.0.1\r\n"
                               b"Accept: text/event-stream\r\n\r\n")
            received = b""
            while b"event: decision" not in received:
                received += connection.recv(4096)
            self.assertNotIn(b"chunked", received)
        head = self.server.raw(b"HEAD /v1/decisions?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                               b"Accept: text/event-stream\r\nConnection: close\r\n\r\n")
        self.assertTrue(head.startswith(b"HTTP/1.1 200 OK"))
        self.assertNotIn(b"event:", head)

    def test_listeners_that_leave_or_talk_are_forgotten(self):
        for number in range(30):
            stream = self.listen()
            if number % 2:
                stream.socket.sendall(b"GET / HTTP/1.1\r\n\r\n" * 100)
            stream.close()
            self.decide(1)
        self.assertEqual(self.listen().event().id, "1")


class TokenStreams(ServiceTest):
    """Hearing is reading."""

    def begin(self):
        self.file = os.path.join(self.folder, "tokens.json")
        self.tokens = {}
        for name, role in (("admin", ["admin"]), ("agent", ["agent"]), ("viewer", ["viewer"]),
                           ("team", ["submitter", "--of", "namespace:team-a"])):
            made = subprocess.run([MUSTER, "token", "create", name, "--role", *role, "--tokens",
                                   self.file], capture_output=True, text=True, check=True)
            self.tokens[name] = made.stdout.strip()
        self.server = self.serve("--tokens", self.file, token=self.tokens["admin"])
        self.apply_queues()
        self.server.ask("POST", "/v1/commands", {"command": "register-consumer", "consumer": "g"})

    def test_only_who_sees_everything_hears(self):
        for name, status in (("admin", 200), ("agent", 200), ("viewer", 200), ("team", 403)):
            with Stream(self.server, "/v1/decisions?after=0", token=self.tokens[name]) as stream:
                self.assertEqual(stream.response.status, status, name)
        with Stream(self.server, "/v1/decisions?after=0", token="none") as stream:
            self.assertEqual(stream.response.status, 401)

    def test_a_revoked_token_hears_no_more(self):
        with Stream(self.server, "/v1/decisions?after=0", token=self.tokens["agent"]) as stream:
            self.submit(workload("one", "1m"))
            self.assertEqual(stream.event().id, "1")
            subprocess.run([MUSTER, "token", "revoke", "agent", "--tokens", self.file], check=True,
                           capture_output=True)
            time.sleep(1)
            self.submit(workload("two", "1m"))
            self.assertIsNone(stream.event())
            self.assertTrue(stream.whole)


class LongStreams(StreamTest):
    """What needs many decisions or a quiet quarter of a minute."""

    def serve(self, *flags, **named):
        return super().serve("--tick", "1", *flags, **named)

    def test_a_quiet_stream_says_that_it_is_alive(self):
        stream = self.listen()
        begin = time.monotonic()
        self.assertEqual(stream.line(), ": decisions behind 0")
        self.assertEqual(stream.line(), "")
        self.assertEqual(stream.line(), ":")
        self.assertLess(time.monotonic() - begin, 17)

    def hear_500_each(self, stream, rounds):
        """So many times 500 decisions that this stream hears; yields after each time."""
        for number in range(0, 500 * rounds, 500):
            self.decide(500)
            self.assertEqual([int(stream.event().id) for _ in range(500)],
                             list(range(number + 1, number + 501)))
            yield

    def test_who_reads_a_little_later_has_what_was_acknowledged_meanwhile(self):
        slow = [self.listen(window=4096) for _ in range(3)]
        for _ in self.hear_500_each(self.listen(), 7):
            self.command("acknowledge", consumer="gateway", upto=self.made)
        for stream in slow:
            self.assertEqual([int(stream.event().id) for _ in range(3500)], list(range(1, 3501)))

    def test_who_does_not_read_holds_up_none_and_is_told_of_a_gap(self):
        quick = self.hear_500_each(self.listen(), 8)
        for _ in range(7):
            next(quick)
        slow = self.listen(window=4096)
        heard = [int(slow.event().id)]
        self.command("acknowledge", consumer="gateway", upto=self.made)
        next(quick)
        event = slow.event()
        while event.name == "decision" and len(heard) < 4000:
            heard.append(int(event.id))
            event = slow.event()
        self.assertEqual(heard, list(range(1, len(heard) + 1)))
        self.assertLess(len(heard), 3500)
        self.assertEqual(event.name, "refused")
        self.assertIn("ask from there", event.json["message"])
        self.assertIsNone(slow.event())

    def test_killed_again_and_again_no_listener_has_a_gap(self):
        heard, last = [], 0
        for _ in range(10):
            stream = self.listen(last=last)
            more = threading.Thread(target=self.decide_until_killed)
            more.start()
            time.sleep(0.3)
            self.server.kill()
            event = stream.event()
            while event is not None:
                heard.append(int(event.id))
                event = stream.event()
            more.join()
            last = heard[-1] if heard else 0
            self.server = self.serve()
        stream = self.listen(last=last)
        newest = self.server.ask("GET", "/v1/decisions?after=0&limit=1").json["last"]
        while len(heard) < newest:
            heard.append(int(stream.event().id))
        self.assertEqual(heard, list(range(1, newest + 1)))
        self.assertGreater(newest, 100)

    def decide_until_killed(self):
        """Jobs that start, until nothing answers."""
        try:
            while True:
                names = [f"job-{self.made + i}" for i in range(10)]
                self.made += 10
                self.submit(*(workload(name, "1m") for name in names))
        except (OSError, ValueError, AssertionError):
            pass


if __name__ == "__main__":
    unittest.main()
