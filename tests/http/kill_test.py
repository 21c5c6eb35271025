"""A service that is killed or told to stop in the middle of its work loses nothing it answered."""

import http.client
import json
import random
import threading
import time
import unittest

from service import IN_TIME, QUEUES, ServiceTest, Stream, workload


class Gateway(threading.Thread):
    """Submits workloads one by one on a connection of its own, until the service is gone."""

    def __init__(self, server, name):
        super().__init__()
        self.server = server
        self.name = name
        self.answered = []
        self.refused = []
        self.start()

    def run(self):
        connection = self.server.connect()
        try:
            for number in range(100000):
                name = f"{self.name}-{number}"
                connection.request("POST", "/v1/submit", json.dumps(workload(name, "100m")),
                                   {"Content-Type": "application/json"})
                response = connection.getresponse()
                response.read()
                (self.answered if response.status == 200 else self.refused).append(name)
                if response.status != 200:
                    return
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()


class Listener:
    """Hears decisions through services that come and go, each time behind the last it has heard."""

    def __init__(self):
        self.heard = []
        self.thread = None

    def last(self):
        """The number that it goes on behind."""
        return int(self.heard[-1].id) if self.heard else 0

    def listen(self, server):
        """Until that service is gone."""
        stream = Stream(server, "/v1/decisions?after=0", last=self.last())

        def run():
            with stream:
                event = stream.event()
                while event is not None:
                    self.heard.append(event)
                    event = stream.event()
        self.thread = threading.Thread(target=run)
        self.thread.start()


class EndsTest(ServiceTest):
    """A service with eight gateways at work."""

    def gateways(self, seconds, names="g"):
        """Eight at work for so long; the caller ends the service, then joins them."""
        self.apply_queues()
        gateways = [Gateway(self.server, f"{names}{number}") for number in range(8)]
        time.sleep(seconds)
        return gateways

    def answered(self, gateways):
        """What was answered, when all have noticed the end."""
        for gateway in gateways:
            gateway.join()
        return {name for gateway in gateways for name in gateway.answered}

    def known(self, server):
        """Every workload that the service has."""
        names, after = set(), ""
        while True:
            page = server.ask("GET", f"/v1/workloads?limit=1000{after}").json
            names |= {item["metadata"]["name"] for item in page["items"]}
            if "metadata" not in page:
                return names
            after = "&after=" + page["metadata"]["continue"]


class Ends(EndsTest):
    """Of such a service."""

    def test_killed_nothing_answered_is_lost(self):
        for seconds in (0.2, 0.5, 0.9):
            with self.subTest(seconds=seconds):
                gateways = self.gateways(seconds)
                self.server.kill()
                answered = self.answered(gateways)
                self.assertGreater(len(answered), 0)
                self.server = self.serve()
                self.assertEqual(answered - self.known(self.server), set())

    def test_told_to_stop_it_answers_or_refuses_all_within_two_seconds(self):
        gateways = self.gateways(0.5)
        self.assertLess(self.server.stop(), IN_TIME)
        answered = self.answered(gateways)
        self.assertGreater(len(answered), 0)
        self.server.verify()
        again = self.serve()
        # One that saw neither had its connection closed between two requests.
        known = self.known(again)
        self.assertEqual(answered - known, set())
        refused = {name for gateway in gateways for name in gateway.refused}
        self.assertEqual(refused & known, set())

    def test_told_to_stop_with_half_a_request_it_ends_within_two_seconds(self):
        connections = [self.server.connect() for _ in range(3)]
        for connection in connections:
            connection.connect()
        connections[0].sock.sendall(b"GET /heal")
        connections[1].sock.sendall(b"POST /v1/apply HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                    b"application/yaml\r\nContent-Length: 100\r\n\r\nkind")
        self.assertEqual(self.server.ask("GET", "/healthz").status, 200)
        self.assertLess(self.server.stop(), IN_TIME)
        for connection in connections:
            connection.close()

    def test_a_ledger_goes_on_where_it_stopped(self):
        self.apply_queues()
        self.submit(workload("one", "8"), workload("two", "8"))
        self.server.wait_for(lambda: self.server.states() == {"one": "admitted", "two": "pending"})
        self.server.kill()
        self.server = self.serve()
        self.assertEqual(self.server.states(), {"one": "admitted", "two": "pending"})
        self.server.ask("POST", "/v1/commands", {
            "command": "finish", "workloads": [{"namespace": "team-a", "name": "one"}]})
        self.server.wait_for(lambda: self.server.states() == {"one": "finished", "two": "admitted"})


class LongEnds(EndsTest):
    """Killed again and again while eight gateways submit and three listeners hear what starts."""

    KILLS = 20

    def apply_queues(self, server=None):
        """Of quota for all that is submitted, so that decisions go on to the end."""
        answer = self.server.ask("POST", "/v1/apply",
                                 QUEUES.replace("nominalQuota: 4", "nominalQuota: 4k"),
                                 {"Content-Type": "application/yaml"})
        self.assertEqual(answer.status, 200, answer.body)

    def test_killed_twenty_times_nothing_is_lost_and_nothing_is_heard_twice(self):
        chance = random.Random(2026)
        listeners = [Listener() for _ in range(3)]
        answered = set()
        self.apply_queues()
        self.assertEqual(self.server.ask("POST", "/v1/commands", {
            "command": "register-consumer", "consumer": "all"}).status, 200)
        for kill in range(self.KILLS):
            for listener in listeners:
                listener.listen(self.server)
            gateways = self.gateways(chance.uniform(0.05, 0.5), names=f"k{kill}-g")
            self.server.kill()
            answered |= self.answered(gateways)
            for listener in listeners:
                listener.thread.join()
            self.server = self.serve()
        known = self.known(self.server)
        self.assertGreater(len(answered), self.KILLS)
        self.assertEqual(answered - known, set())

        # It goes on starting what waits; what was decided until now is enough.
        last = self.server.ask("GET", "/v1/decisions?consumer=all&limit=1").json["last"]
        self.assertGreater(last, self.KILLS)
        made = []
        while len(made) < last:
            made += self.server.ask("GET", f"/v1/decisions?after={len(made)}").json["decisions"]
        for listener in listeners:
            listener.listen(self.server)
            self.server.wait_for(lambda one=listener: one.last() >= last, seconds=60)
        self.assertLess(self.server.stop(), IN_TIME)
        for listener in listeners:
            listener.thread.join()
            self.assertEqual([event.json for event in listener.heard[:last]], made[:last])
            self.assertEqual([int(event.id) for event in listener.heard],
                             list(range(1, len(listener.heard) + 1)))
        self.server.verify()


if __name__ == "__main__":
    unittest.main()
