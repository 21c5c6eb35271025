"""Instances that share the ledgers of a database and stand by for each other's."""

import os
import re
import select
import signal
import threading
import time
import unittest
from pathlib import Path

from service import muster
from shards_test import SharedLedgers, processes_of
from trees_test import tree

LEASE = 3  # seconds in which a writer that is not heard of loses its ledger


class StandbyShards(SharedLedgers):
    """As Shards, where each has an engine ready for what the others serve."""

    def begin(self):
        self.said = {}
        super().begin()

    def instance(self, *flags):
        server = super().instance("--standby", *flags)
        server.listens()
        self.said[server] = ""
        return server

    def hear(self, instance):
        """All that it has said."""
        while select.select([instance.process.stdout], [], [], 0)[0]:
            part = os.read(instance.process.stdout.fileno(), 65536).decode()
            if not part:
                break
            self.said[instance] += part
        return self.said[instance]

    def kill_all_of(self, instance):
        """Its processes and itself, at once; the moment."""
        children = processes_of(instance)
        for process in (*children, instance.process.pid):
            os.kill(process, signal.SIGKILL)
        instance.process.wait()
        return time.monotonic()

    def standbys(self, instance):
        """Of each ledger that is served, how many could take it at once."""
        items = instance.ask("GET", "/v1/shards").json["items"]
        return {item["name"]: len(item["standbys"]) for item in items
                if item["state"] == "served" and item["url"]}

    def wait_until_ready(self, instance, count, trees="ab"):
        """For each ledger so many stand by."""
        instance.wait_for(
            lambda: self.standbys(instance) == {name: count for name in trees}, 30)

    def even(self, count, trees="ab"):
        """So many instances: each serves one and stands by for the others'."""
        instances = [self.instance()]
        first = instances[0]
        first.wait_for(lambda: len(self.served(first)) == len(trees))
        for _ in range(count - 1):
            one = self.instance()
            instances.append(one)
            one.wait_for(lambda one=one: "serving ledger" in self.hear(one), 30)
        self.wait_until_ready(first, count - 1, trees)
        return instances

    def test_what_one_had_is_taken_by_the_other_whose_engine_was_kept_ready(self):
        first, second = self.even(2)
        (given,) = re.findall(r"serving ledger (\w)", self.hear(second))
        self.assertIn(f"serving ledger {given}, whose engine was kept ready", self.hear(second))
        (other,) = set("ab") - {given}
        jobs = [f"before-{team}" for team in "ab"]
        for name in jobs:
            second.wait_for(lambda name=name: self.submit(second, name[-1], name))
        asked, ended = [], threading.Event()

        def ask_on():
            while not ended.wait(0.002):
                asked.append(f"more-{len(asked)}-{other}")
                if self.submit(second, other, asked[-1]):
                    jobs.append(asked[-1])
        asking = threading.Thread(target=ask_on)
        asking.start()
        second.wait_for(lambda: len(asked) > 50)
        killed = self.kill_all_of(first)
        second.wait_for(lambda: self.submit(second, other, f"after-{other}"))
        seconds = time.monotonic() - killed
        print(f"first answer {seconds:.2f} s after the kill")
        second.wait_for(
            lambda: f"serving ledger {other}, whose engine was kept ready" in self.hear(second))
        ended.set()
        asking.join()
        self.assertLess(seconds, LEASE)
        self.assertGreater(len(jobs), 50)
        self.assertTrue(self.submit(second, given, f"after-{given}"))
        second.process.terminate()
        self.assertEqual(second.process.wait(20), 0)
        self.verify(jobs + [f"after-{team}" for team in "ab"], perhaps=asked)

    def test_two_that_stand_by_for_one_have_one_winner_and_the_other_goes_on(self):
        code, _, err = muster("apply", "-f", "-", "--db", self.database.url("c"),
                              text=tree("a").replace("team-a", "team-c"))
        self.assertEqual(code, 0, err)
        instances = self.even(3, "abc")
        names = [f"before-{team}" for team in "abc"]
        front = instances[0]
        for name in names:
            front.wait_for(lambda name=name: self.submit(front, name[-1], name))
        while len(instances) > 1:
            before = self.writers()
            lost = self.served_by(instances[0])
            self.assertTrue(lost)
            self.kill_all_of(instances.pop(0))
            front = instances[0]
            front.wait_for(lambda: len(self.served(front)) == 3)
            self.wait_until_ready(front, len(instances) - 1, "abc")
            for team in "abc":
                name = f"after-{len(instances)}-{team}"
                front.wait_for(lambda name=name: self.submit(front, name[-1], name))
                names.append(name)
            for team in lost:
                self.assertGreater(self.writers()[team], before[team])
            said = "".join(self.hear(each) for each in instances)
            self.assertNotIn("was not kept ready", said)
        instances[0].process.terminate()
        self.assertEqual(instances[0].process.wait(20), 0)
        self.verify(names, "abc")

    def test_one_that_is_told_to_end_hands_over_at_once_and_is_not_fought_for(self):
        first, second = self.even(2)
        writers = self.writers()
        time.sleep(2)
        self.assertEqual(self.writers(), writers, "they are even, and at rest")
        given = self.served_by(first)
        first.process.terminate()
        self.assertEqual(first.process.wait(20), 0)
        second.wait_for(lambda: len(self.served_by(second)) == 2)
        for team in given:
            second.wait_for(lambda team=team: f"serving ledger {team}, whose engine was kept ready"
                            in self.hear(second))
            self.assertEqual(self.writers()[team], writers[team] + 1)

    def process_of(self, instance, ledger):
        """The one that writes it."""
        (holder,) = [each["holder"] for each in instance.ask("GET", "/v1/shards").json["items"]
                     if each["name"] == ledger]
        return int(holder.split()[1])

    def test_a_process_that_is_killed_alone_has_its_ledger_taken_by_another_instance(self):
        first, second = self.even(2)
        (lost,) = self.served_by(first)
        os.kill(self.process_of(first, lost), signal.SIGKILL)
        second.wait_for(lambda: lost in self.served_by(second))
        second.wait_for(lambda: f"serving ledger {lost}, whose engine was kept ready"
                        in self.hear(second))
        # It stands by for that again, and is given one, so that they are even.
        first.wait_for(lambda: len(self.served_by(first)) == 1, 30)
        self.wait_until_ready(first, 1)
        self.assertEqual(len(self.served_by(second)), 1)

    def test_a_restart_of_the_database_leaves_each_ledger_where_it_is(self):
        first, second = self.even(2)
        writers, served = self.writers(), self.served_by(first)
        begin = time.monotonic()
        self.database.crash()
        self.database.start()
        within_lease = time.monotonic() - begin < LEASE / 2
        self.wait_until_ready(second, 1)
        for team in "ab":
            second.wait_for(lambda team=team: self.submit(second, team, f"after-{team}"))
        time.sleep(LEASE)
        self.wait_until_ready(second, 1)
        if within_lease:
            self.assertEqual(self.served_by(first), served)
            self.assertEqual(self.writers(), writers)
        for server in (first, second):
            server.process.terminate()
            self.assertEqual(server.process.wait(20), 0)
        self.verify([f"after-{team}" for team in "ab"])

    def test_one_that_was_halted_and_lost_its_ledger_stands_by_for_it(self):
        first, second = self.even(2)
        (lost,) = self.served_by(first)
        process = self.process_of(first, lost)
        os.kill(process, signal.SIGSTOP)
        second.wait_for(lambda: lost in self.served_by(second), 30)
        os.kill(process, signal.SIGCONT)
        first.wait_for(lambda: f"standing by for ledger {lost}" in
                       self.hear(first).split(f"ledger {lost} is not served here")[-1], 30)
        # Then it is given to one of the two again, so that they are even.
        first.wait_for(lambda: len(self.served_by(first)) == 1, 30)
        second.wait_for(lambda: self.submit(second, lost, f"after-{lost}"))

    def test_heads_are_noted_while_it_stands_by_and_after_it(self):
        folders = [os.path.join(self.folder, name) for name in ("one", "two")]
        first = self.instance("--heads", folders[0])
        first.wait_for(lambda: len(self.served(first)) == 2)
        second = self.instance("--heads", folders[1])
        self.wait_until_ready(second, 1)
        for team in "ab":
            second.wait_for(lambda team=team: self.submit(second, team, f"before-{team}"))
        heads = {team: Path(folders[1], f"{team}.head") for team in "ab"}
        self.assertEqual({team for team in heads if heads[team].exists()}, set("ab"))
        self.kill_all_of(first)
        for team in "ab":
            second.wait_for(lambda team=team: self.submit(second, team, f"after-{team}"))
        noted = {team: heads[team].read_text() for team in "ab"}
        second.process.terminate()
        self.assertEqual(second.process.wait(20), 0)
        self.verify([f"{when}-{team}" for when in ("before", "after") for team in "ab"])
        self.assertTrue(all(noted.values()))


if __name__ == "__main__":
    unittest.main()
