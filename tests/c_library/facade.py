"""Compares what an embedder calls in C++ with what muster.h declares: each call of the facade has a
function of C that does the same, or a reason below why it has none.

  facade.py        fails where a call of C++ is not listed here, or what is listed is not there
"""

import glob
import os
import re
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEADERS = [os.path.join(TOP, "engine", "include", "muster", "engine.h")] + sorted(
    glob.glob(os.path.join(TOP, "bindings", "cpp", "include", "muster", "*.h")))
GET = "muster_get"

# Call of C++ -> functions of C that do it.
DONE_BY = {
    "Engine": ["muster_open_memory", "muster_close"],
    "Engine.Fork": ["muster_copy"],
    "Engine.Closed": ["muster_closed"],
    "Engine.CheckTime": ["muster_check_time"],
    "Engine.Do": ["muster_do", "muster_what_if"],
    "Engine.Validate": ["muster_validate"],
    "Engine.Misfits": ["muster_advise"],
    "Engine.Apply": ["muster_apply"],
    "Engine.Delete": ["muster_delete"],
    "Engine.Submit": ["muster_submit", "muster_submit_warned", "muster_shape_parse"],
    "Engine.Update": ["muster_update"],
    "Engine.UpdateCheck": ["muster_check", "muster_check_job"],
    "Engine.Ready": ["muster_ready"],
    "Engine.Finish": ["muster_finish"],
    "Engine.Cancel": ["muster_cancel"],
    "Engine.Evict": ["muster_evict", "muster_evict_job"],
    "Engine.Evicted": ["muster_evicted"],
    "Engine.Evicting": [GET],
    "Engine.Advance": ["muster_advance"],
    "Engine.NextDeadline": ["muster_next_deadline"],
    "Engine.RunCycle": ["muster_run_cycle"],
    "Engine.RegisterConsumer": ["muster_register_consumer"],
    "Engine.Acknowledge": ["muster_acknowledge"],
    "Engine.RemoveConsumer": ["muster_remove_consumer"],
    "Engine.Consumers": [GET],
    "Engine.Decisions": ["muster_decisions_of", "muster_decisions_after",
                         "muster_decisions_topology"],
    "Engine.ActivatePolicy": ["muster_policy_activate"],
    "Engine.RollBackPolicy": ["muster_policy_roll_back"],
    "Engine.NoteStaged": ["muster_policy_stage"],
    "Engine.LiveBatches": ["muster_policy_stage"],
    "Engine.ShadowPolicy": ["muster_policy_shadow"],
    "Engine.Shadow": ["muster_policy_shadow_report"],
    "Engine.Pending": [GET],
    "Engine.Held": [GET],
    "Engine.Workloads": [GET],
    "Engine.WorkloadCount": [GET],
    "Engine.GetWorkload": [GET, "muster_phase"],
    "Engine.PodSetUpdates": ["muster_pod_set_updates", "muster_start_patch"],
    "Engine.PodRequests": ["muster_pod_requests"],
    "Engine.ClusterQueues": [GET],
    "Engine.Cohorts": [GET],
    "Engine.LocalQueues": [GET],
    "Engine.Objects": [GET],
    "Engine.Explain": ["muster_explain"],
    "Engine.Accounts": [GET],
    "Engine.Policies": [GET],
    "Engine.PolicyUses": [GET],
    "Engine.PolicyBindings": [GET],
    "Engine.DecidingHooks": [GET, "muster_report"],
    "Engine.StateHash": ["muster_state_hash"],
    "Engine.CheckInvariants": ["muster_check_invariants"],
    "DurableEngine": ["muster_close"],
    "DurableEngine.Open": ["muster_open"],
    "DurableEngine.SetCaller": ["muster_set_caller"],
    "DurableEngine.last_time": ["muster_last_time"],
    "DurableEngine.ActivatePolicy": ["muster_policy_activate", "muster_policy_activate_staged"],
    "DurableEngine.RollBackPolicy": ["muster_policy_roll_back"],
    "DurableEngine.Close": ["muster_close"],
    "ReadLedger": ["muster_read_ledger"],
    "ReadLedgerTwice": ["muster_read_ledger", "muster_copy"],
    "SetLogLevel": ["muster_set_log_level"],
    "SetLogSink": ["muster_set_log_sink"],
    "ApplyYaml": ["muster_apply"],
    "LoadPolicy": ["muster_policy_check"],
    "WallClock": ["muster_now"],
    "CheckQueueOwner": ["muster_check_owner"],
    "Pipeline": ["muster_pipeline_stop"],
    "Pipeline.Start": ["muster_pipeline_start"],
    "Pipeline.Settle": ["muster_pipeline_stop"],
    "Pipeline.Settled": ["muster_pipeline_stored"],
    "Pipeline.Durable": ["muster_pipeline_wait"],
    "Pipeline.newest": ["muster_pipeline_ticket"],
    "Pipeline.Await": ["muster_pipeline_wait"],
    "Sealed.Settled": ["muster_pipeline_stored"],
    "Sealed.Wait": ["muster_pipeline_wait"],
}
# Calls that have no function in C, and why.
NOT_IN_C = {
    "Engine.Restore": "muster_open and muster_read_ledger restore",
    "Engine.StoredPolicyHashes": "a part of restoring",
    "Engine.AttachPolicy": "a part of restoring",
    "Engine.LimitTimeJumps": "muster_options.allow_time_jump is the choice",
    "Engine.AtRest": "muster_run_cycle says it of a cycle that finds nothing, and takes no longer",
    "Engine.SetPolicyLoader": "muster_open lets commands name the policies that its ledger holds",
    "DurableEngine.engine": "one handle stands for both",
    "DurableEngine.ledger": "a part of db/; muster_report reads what it holds",
    "DurableEngine.Listen": "rows in the encoding of db/, for a second copy of the state in the"
                            " same process; muster_decisions_of tells what happened",
    "Log": "for what the library itself says",
    "ApplyFile": "muster_apply takes the text of the file",
    "Sealed": "a value that waits for the disk; in C the call returns it, and its ticket waits",
    "Pipeline.Call": "calls go through the pipeline by themselves",
    "PolicyReloader": "a program that notices a save calls muster_policy_stage, beside which others"
                      " may call, and then muster_policy_activate_staged",
    "PolicyReloader.status": "see PolicyReloader",
    "PolicyReloader.Stage": "see PolicyReloader",
    "PolicyReloader.Poll": "see PolicyReloader",
    "PolicyReloader.busy": "see PolicyReloader",
}
# Functions of C that are the handling of what C hands out, not calls of the engine.
HANDLES = re.compile(r"muster_(bytes|error|decisions|shape)_\w+|muster_(abi_version|version|"
                     r"code_name|decision_kind)$")
# What C has from the folders around the facade: the same that the command line has.
BEYOND = {"muster_schema", "muster_eta", "muster_observe", "muster_wake", "muster_scenario",
          "muster_policy_test", "muster_simulate", "muster_backtest"}


def public_calls(text):
    """Names of the public functions of a header, "Class.Function" or "Function"."""
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    found, scope, depth, public = set(), None, 0, True
    statement = ""
    for token in re.findall(r"[{};]|[^{};]+", text):
        if token not in "{};":
            *access, rest = re.split(r"\b(public|private|protected)\s*:", token)
            if access:
                public, statement = access[-1] == "public", ""
            statement += rest
            continue
        words = " ".join(re.sub(r"^\s*#.*$", "", statement, flags=re.MULTILINE).split())
        inside = scope is not None
        top = depth == (1 if not inside else 2)  # in the namespace, or in a class of it
        if top and public:
            # Neither a type such as function<Status(...)>, nor what is defined outside a class.
            call = re.search(r"(?<![<:\w])~?(\w+)\s*\(", words)
            if call and not re.match(r"(using|typedef|friend)\b", words) and not re.search(
                    r"\boperator\b", words):
                name = call.group(1)
                found.add(name if not inside or name == scope else f"{scope}.{name}")
        if token == "{":
            named = re.search(r"\b(?:class|struct)\s+(\w+)[^;(]*$", words)
            if depth == 1 and named and "(" not in words:
                scope, public = named.group(1), "struct" in words.split()
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 1:
                scope, public = None, True
        statement = ""
    return found


def main():
    calls = set()
    for path in HEADERS:
        with open(path, encoding="utf-8") as file:
            calls |= public_calls(file.read())
    with open(os.path.join(TOP, "bindings", "c", "include", "muster.h"), encoding="utf-8") as file:
        header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
    declared = set(re.findall(r"\b(muster_\w+)\s*\(", header))
    listed = set(DONE_BY) | set(NOT_IN_C)
    used = {each for functions in DONE_BY.values() for each in functions} | BEYOND
    wrong = [f"{name} is in C++; name what does it in C, or why nothing does"
             for name in sorted(calls - listed)]
    wrong += [f"{name} is listed, and no header of C++ has it" for name in sorted(listed - calls)]
    wrong += [f"{name} is listed both as done and as not in C"
              for name in sorted(set(DONE_BY) & set(NOT_IN_C))]
    wrong += [f"{name} is listed, and muster.h does not declare it"
              for name in sorted(used - declared)]
    wrong += [f"{name} is declared in muster.h; say which call of C++ it is, or that it is beyond"
              for name in sorted(declared - used) if not HANDLES.fullmatch(name)]
    print("\n".join(wrong))
    print(f"{len(calls)} calls in C++, {len(declared)} in C, {len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
