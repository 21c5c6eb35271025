"""The service under its own load: each submit is answered, listeners miss nothing."""

import argparse
import os
import sys
import unittest

from service import ServiceTest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))
from service_bench import measure  # noqa: E402  pylint: disable=wrong-import-position


class Load(ServiceTest):
    """Short, for builds with sanitizers too; `make bench-service` measures."""

    def begin(self):
        self.server = None

    def measured(self, finish):
        """What is told of a short run, in which all is well."""
        asked = argparse.Namespace(load=os.environ["SERVICE_LOAD"], rate=150, seconds=2,
                                   connections=12, listeners=4, finish=finish)
        told = measure(asked, self.folder)
        self.assertEqual(told["statuses"], {"200": told["sent"]})
        self.assertEqual(told["unanswered"], 0)
        self.assertGreater(told["sent"], 200)
        self.assertEqual(told["heard"], [told["sent"]] * 4)
        for name in ("latencyMs", "flushMs"):
            row = [told[name][part] for part in ("p50", "p99", "p99.9", "max")]
            self.assertEqual(row, sorted(row))
            self.assertGreater(row[0], 0)
        return told

    def test_every_submit_is_answered_and_every_listener_hears_every_start(self):
        self.assertNotIn("finished", self.measured(finish=False))

    def test_a_gateway_finishes_what_starts_meanwhile(self):
        told = self.measured(finish=True)
        self.assertGreater(told["finished"], told["sent"] // 2)
        self.assertGreaterEqual(len(told["memoryByTenthsMiB"]), 5)


if __name__ == "__main__":
    unittest.main()
