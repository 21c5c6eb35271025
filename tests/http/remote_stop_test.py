"""muster stop and resume --server: as with a ledger, and beside others that change the queue."""

import unittest

from remote import RemoteTest
from service import muster


class RemoteStops(RemoteTest):
    """Queues that are stopped and resumed."""

    def test_queues_are_stopped_and_resumed_as_in_a_ledger(self):
        self.begin_both()
        self.both("stop", "team-b-cq")
        self.both("stop", "team-b-cq")
        self.both("stop", "cq", "team-a-cq", "--drain", "-o", "json")
        self.both("stop", "team-a/main", "team-b/main")
        for kind in ("cq", "lq", "wl"):
            for output in ("wide", "yaml"):
                self.assertEqual(self.remote("get", kind, "-o", output)[1].count("Hold"),
                                 muster("get", kind, "-o", output, "--db", self.local)[1]
                                 .count("Hold"), kind)
        self.both("resume", "team-a-cq", "team-b-cq")
        self.both("resume", "lq", "main", "-n", "team-a")
        for words in (("stop", "none"), ("resume", "team-a/none"), ("stop", "team-a-cq", "none")):
            self.assertEqual(self.remote(*words)[0], 2, words)
        self.assertNotIn("Stopped", self.remote("get", "cq")[1], "all or nothing")

    def test_a_stop_says_what_it_does_not_reach(self):
        self.begin_both()
        self.both("delete", "lq", "team-a/main", "--force")
        asked = self.remote("stop", "team-a-cq", "--drain")
        here = muster("stop", "team-a-cq", "--drain", "--db", self.local)
        self.assertEqual(asked, here)
        self.assertIn("1 workload of ClusterQueue team-a-cq was not told to leave", asked[2])

    def test_a_stop_keeps_what_others_change_meanwhile(self):
        self.apply_queues()
        queue = self.server.ask("GET", "/v1/clusterqueues/team-a-cq").json
        answer = self.server.ask("POST", "/v1/stop-policy", {
            "stopPolicy": "Hold", "queues": [{"name": "team-a-cq"},
                                             {"namespace": "team-a", "name": "main"}]})
        self.assertEqual([each["result"] for each in answer.json["queues"]], ["changed"] * 2)
        held = self.server.ask("GET", "/v1/clusterqueues/team-a-cq").json
        self.assertEqual(held["spec"].pop("stopPolicy"), "Hold")
        queue["spec"].pop("stopPolicy", None)
        self.assertEqual(held["spec"], queue["spec"], "nothing else is written")


if __name__ == "__main__":
    unittest.main()
