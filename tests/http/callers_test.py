"""Each write has the name of its token, and keeps it wherever the ledger goes."""

import json
import os
import unittest

from roles_test import RolesTest, binding, command
from service import QUEUES, ServiceTest, muster, workload


def history(ledger):
    """Events with the command and the caller of their commit."""
    code, out, err = muster("ledger", "query", "SELECT command, kind, subject, caller FROM history "
                            "ORDER BY seq", "--db", ledger, "-o", "json")
    assert code == 0, err
    return [tuple(row[name] for name in ("command", "kind", "subject", "caller"))
            for row in json.loads(out)]


class Callers(RolesTest):
    """Through the service."""

    def write_by_all(self):
        """Each role writes what it may."""
        consumer = {"command": "register-consumer", "consumer": "g"}
        for name, target, body in (("agent", "commands", consumer),
                                   ("submitter-a", "submit", workload("mine")),
                                   ("owner-a", "apply", binding("team-a-cq"))):
            self.assertEqual(self.status(name, "POST", "/v1/" + target, body), 200)
        self.server.wait_for(lambda: self.server.states()["mine"] == "admitted")
        self.assertEqual(self.status("agent", "POST", "/v1/commands",
                                     command("finish", "team-a/job")), 200)
        evict = {"command": "evict", "reason": "Repair",
                 "workload": {"namespace": "team-a", "name": "mine"}}
        self.assertEqual(self.status("admin", "POST", "/v1/commands", evict), 200)

    def test_every_write_has_the_name_of_its_token(self):
        self.write_by_all()
        events = history(self.server.db)
        for expected in (("apply", "ObjectApplied", "ClusterQueue/team-a-cq", "admin"),
                         ("submit", "Submitted", "team-a/mine", "submitter-a"),
                         ("apply", "ObjectApplied", "PolicyBinding/team-a-cq", "owner-a"),
                         ("finish", "Finished", "team-a/job", "agent"),
                         ("evict", "Evicted", "team-a/mine", "admin")):
            self.assertIn(expected, events)
        for name, kind, _, caller in events:
            self.assertEqual(caller is None, name == "cycle", (name, kind, caller))

    def test_descriptions_say_whose_call_it_was(self):
        self.write_by_all()
        target = "/v1/describe?kind=wl&name=team-a/mine&output="
        events = self.server.ask("GET", target + "json").json["events"]
        callers = [(each["from"], each.get("caller")) for each in events]
        self.assertIn(("gateway", "submitter-a"), callers)
        self.assertIn(("scheduler", None), callers)
        self.assertIn(("lifecycle", "admin"), callers)
        self.assertIn("(submitter-a)", self.server.ask("GET", target + "table").body.decode())

    def test_it_stays_through_backup_and_export(self):
        self.write_by_all()
        self.server.stop()
        self.server.verify()
        copy = os.path.join(self.folder, "copy")
        self.assertEqual(muster("ledger", "backup", self.server.db, copy)[0], 0)
        self.assertEqual(history(copy), history(self.server.db))
        code, out, err = muster("ledger", "export", "--db", copy)
        self.assertEqual(code, 0, err)
        lines = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([each.get("caller") for each in lines],
                         [row[3] for row in history(copy)])


class LocalCallers(ServiceTest):
    """Without tokens."""

    def test_a_service_without_tokens_names_no_caller_and_makes_no_token(self):
        self.apply_queues()
        self.assertEqual({row[3] for row in history(self.server.db)}, {None})
        for method, target in (("GET", "/v1/tokens"), ("POST", "/v1/tokens"),
                               ("DELETE", "/v1/tokens/x")):
            self.assert_refused(self.server.ask(method, target), 409, "--tokens")

    def test_the_command_line_names_its_user(self):
        queues = os.path.join(self.folder, "queues.yaml")
        with open(queues, "w", encoding="utf-8") as file:
            file.write(QUEUES)
        job = json.dumps(workload("job"))
        users = {"ann": "ann", "": None, "a\nb": None, "x" * 300: None}
        for number, (user, caller) in enumerate(users.items()):
            ledger = os.path.join(self.folder, f"l{number}")
            for words, text in ((("apply", "-f", queues), None), (("submit", "-f", "-"), job)):
                code, _, err = muster(*words, "--db", ledger, text=text, env={"USER": user})
                self.assertEqual(code, 0, err)
            self.assertEqual({row[3] for row in history(ledger)}, {caller})
            self.assertEqual(muster("ledger", "verify", ledger, "--replay")[0], 0)


if __name__ == "__main__":
    unittest.main()
