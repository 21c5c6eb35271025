"""What `muster simulate` says of wrong use, and what it prints when it is interrupted.

    cli_test.py MUSTER
"""

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from world import CLUSTER, log_of

MUSTER = sys.argv[1]
COLUMNS = "submit=at,run=seconds,size=gpus,queue=team,id=job"


class Cli(unittest.TestCase):
    """One cluster and one log."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.cluster = self.write("cluster.yaml", CLUSTER.encode())
        self.log = self.write("jobs.csv", log_of(60).encode())

    def write(self, name, data):
        """The path of a file with these bytes."""
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def simulate(self, *words, jobs=None):
        """What one call came to."""
        return subprocess.run(
            [MUSTER, "simulate", "-f", self.cluster, "--jobs", jobs or self.log, *words],
            check=False, capture_output=True, text=True)

    def test_mistakes_are_told_with_what_to_write(self):
        for words, told in (
                (["--columns", "submit=at,run=seconds,size=gpu"], 'write "gpus"'),
                (["--columns", "when=at"], "--columns"),
                (["--columns", COLUMNS, "--resource", "cpu"], "write one of nvidia.com/gpu"),
                (["--columns", COLUMNS, "--queue", "default/rad"], "write default/red"),
                (["--columns", COLUMNS, "--leave", "soon"], "is not a duration"),
                (["--columns", COLUMNS, "--checkpoint", "0s"], "write for example 30m, or none"),
                (["--columns", COLUMNS, "--seeds", "1"], "at least 2"),
                (["--columns", COLUMNS, "--warm-up", "300d"], "leave no time"),
                (["--columns", COLUMNS, "--policy", "policies/none-such"], "none-such"),
                (["--format", "swf"], "jobs.csv:1:1:")):
            said = self.simulate(*words)
            self.assertIn(said.returncode, (1, 2), words)
            self.assertIn(told, said.stderr)
            self.assertEqual(said.stdout, "")

    def test_queues_of_the_log_need_a_queue(self):
        log = self.write("other.csv", b"submit,run,size,queue\n1,2,3,green\n")
        self.assertIn('no LocalQueue "green"', self.simulate(jobs=log).stderr)
        said = self.simulate("--queue", "default/red", jobs=log)
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_a_queue_of_the_log_that_may_be_several_is_refused(self):
        twin = self.write("twin.yaml", b"apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\n"
                          b"metadata: {name: red, namespace: other}\n"
                          b"spec: {clusterQueue: red}\n")
        log = self.write("other.csv", b"submit,run,size,queue\n1,2,3,red\n")
        said = self.simulate("-f", twin, jobs=log)
        self.assertEqual(said.returncode, 2, said)
        self.assertIn('queue "red" of the log may mean default/red or other/red', said.stderr)
        self.assertIn("may mean", self.simulate("-f", twin, "--queue", "red", jobs=log).stderr)
        log = self.write("other.csv", b"submit,run,size,queue\n1,2,3,other/red\n")
        said = self.simulate("-f", twin, jobs=log)
        self.assertEqual(said.returncode, 0, said.stderr)

    def test_a_compressed_log_is_the_same_log(self):
        with open(self.log, "rb") as file:
            packed = self.write("jobs.csv.gz", gzip.compress(file.read()))
        plain = self.simulate("--columns", COLUMNS, "-o", "csv")
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertEqual(plain.stdout, self.simulate("--columns", COLUMNS, "-o", "csv",
                                                     jobs=packed).stdout)

    def test_an_interrupt_ends_with_what_there_is(self):
        log = self.write("long.csv", log_of(400_000).encode())
        started = subprocess.Popen(
            [MUSTER, "simulate", "-f", self.cluster, "--jobs", log, "--columns", COLUMNS,
             "-o", "json"], stdout=subprocess.PIPE)
        time.sleep(2)
        started.send_signal(signal.SIGINT)
        printed, _ = started.communicate(timeout=60)
        self.assertIn(started.returncode, (0, -signal.SIGINT))
        if started.returncode == 0:  # else it was still reading
            (policy,) = json.loads(printed)["policies"]
            self.assertTrue(policy["interrupted"])
            self.assertGreater(policy["unfinished"], 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
