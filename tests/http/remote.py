"""What the tests of `muster --server` share: a service, and a ledger beside it."""

import json
import os

from service import QUEUES, ServiceTest, muster, workload


class RemoteTest(ServiceTest):
    """A service, and a ledger beside it that is asked the same."""

    def begin(self):
        super().begin()
        self.url = f"http://127.0.0.1:{self.server.port}"
        self.local = os.path.join(self.folder, "local.ledger")

    def remote(self, *words, **how):
        """Asked of the service."""
        return muster("--server", self.url, *words, **how)

    def both(self, *words, text=None, code=0):
        """The same words to the service and to the ledger; both must say the same."""
        asked = self.remote(*words, text=text)
        here = muster(*words, "--db", self.local, text=text)
        self.assertEqual(asked[:2], here[:2], (words, asked, here))
        self.assertEqual(asked[0], code, (words, asked))
        return asked

    def settle(self):
        """Both have decided what there is to decide."""
        muster("schedule", "--db", self.local, "--until-idle")
        self.server.wait_for(lambda: self.remote("get", "wl")[1] ==
                             muster("get", "wl", "--db", self.local)[1])

    def begin_both(self):
        """Two teams' queues on both sides, and a job of one of them that runs."""
        manifests = os.path.join(self.folder, "queues.yaml")
        with open(manifests, "w", encoding="utf-8") as file:
            file.write(QUEUES)
        self.both("apply", "-f", manifests)
        self.both("submit", "-f", "-", text=json.dumps(workload("train", "2")))
        self.settle()
