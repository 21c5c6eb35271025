"""Defects that tests must notice: each a text of one source, what it becomes, and the test."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """`text` stands once in `file`; with `becomes` in its place a test of `filter` must fail."""

    name: str
    file: str
    text: str
    becomes: str
    binary: str
    filter: str


QUOTA = [
    Mutation(
        "a queue at its quota counts as borrowing",
        "engine/quota/quota_algebra.cc",
        "return Add(own.usage, v) > own.subtree;",
        "return Add(own.usage, v) >= own.subtree;",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "a borrowing limit is ignored",
        "engine/quota/quota_algebra.cc",
        "from_parent = std::min(from_parent, limit);",
        "from_parent = std::max(from_parent, limit);",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "a charge is doubled",
        "engine/quota/quota_algebra.cc",
        "SetUsage(own, Add(own.usage, v));",
        "SetUsage(own, Add(Add(own.usage, v), v));",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "a release takes more from the cohort than stands there",
        "engine/quota/quota_algebra.cc",
        "v = std::min(v, stored_in_parent);",
        "",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "one more than there is fits",
        "engine/quota/quota_algebra.cc",
        "if (u.amount > std::max<Amount>(0, c == kNoColumn ? 0 : Available(n, c))) return false;",
        "if (u.amount > 1 + std::max<Amount>(0, c == kNoColumn ? 0 : Available(n, c))) return "
        "false;",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "a lending limit is ignored",
        "engine/quota/quota_tree.cc",
        ": std::max<Amount>(0, Sub(cell.subtree, cell.lending_limit));",
        ": 0;",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "what was tried is not undone",
        "engine/quota/quota_tree.cc",
        "tree_->cells_[undo.cell].usage = undo.usage;",
        "(void)undo;",
        "unit_quota", "WorkedExample.*"),
    Mutation(
        "a larger weight makes a share larger",
        "engine/quota/dominant_share.cc",
        ": ratio / weight;",
        ": ratio * weight;",
        "unit_quota", "Shares.*"),
]

PREEMPTION = [
    Mutation(
        "a job of the same priority is a victim under LowerPriority",
        "engine/preempt/candidates.cc",
        "return preemptor.priority() > candidate.priority();",
        "return preemptor.priority() >= candidate.priority();",
        "unit_preempt", "PolicyAllows.*"),
    Mutation(
        "the newest victim goes last",
        "engine/preempt/candidates.cc",
        "return reserved_a > reserved_b;",
        "return reserved_a < reserved_b;",
        "unit_preempt", "Order.*"),
    Mutation(
        "an attempt that failed is not undone",
        "engine/preempt/classical_search.cc",
        "  const CapacityMark mark(world_.capacity, request_.queue.tree);\n"
        "  budget_ = *search_.spent_;\n"
        "  trace_.BeginAttempt(allow_borrowing);\n"
        "  std::vector<Victim> victims;",
        "  budget_ = *search_.spent_;\n"
        "  trace_.BeginAttempt(allow_borrowing);\n"
        "  std::vector<Victim> victims;",
        "unit_preempt", "ReclaimExample.*"),
    Mutation(
        "the priority threshold of borrowWithinCohort is ignored",
        "engine/preempt/classical_search.cc",
        "std::min<std::int64_t>(below, *rules.max_priority_threshold)",
        "below",
        "unit_preempt", "ReclaimExample.*"),
    Mutation(
        "victims that are not needed are not given back",
        "engine/preempt/preemption_search.cc",
        "if (DemandFits(world, request, allow_borrowing)) {\n      victims[i] = victims.back();",
        "if (DemandFits(world, request, allow_borrowing) && victims.empty()) {\n"
        "      victims[i] = victims.back();",
        "unit_preempt", "ReclaimExample.*"),
]

CAPACITY = [
    Mutation(
        "what other members were told under a mark is not taken back",
        "engine/capacity/capacity.cc",
        "while (told_.size() > size) {",
        "while (told_.size() > size + 1) {",
        "unit_capacity", "*"),
    Mutation(
        "a charge under a mark is not logged",
        "engine/capacity/capacity.cc",
        "if (marks_ > 0) told_.push_back({queue, {usage.begin(), usage.end()}, /*charged=*/true});",
        "if (marks_ > 1) told_.push_back({queue, {usage.begin(), usage.end()}, /*charged=*/true});",
        "unit_capacity", "*"),
]

RECORDS = [
    Mutation(
        "an end frees no quota",
        "engine/state/records.cc",
        "world.capacity.Release(queue.place(), charge);",
        "world.capacity.ReleaseWithoutForest(queue.id, charge);",
        "unit_api", "EngineTest.*"),
    Mutation(
        "reclaimed pods stay charged",
        "engine/state/records.cc",
        "Mul(amount / recorded, remaining)",
        "Mul(amount / recorded, recorded)",
        "unit_api", "EngineTest.*"),
    Mutation(
        "a deactivated job keeps its quota",
        "engine/state/records.cc",
        "if (!HasReserved(workload) || !workload.active) return false;",
        "if (!HasReserved(workload)) return false;",
        "unit_api", "EngineTest.*"),
    Mutation(
        "what a slice replaces is gone for those behind it",
        "engine/cycle/process_slice.cc",
        "if (!world_.catalog.engine_config.overcommit_as_kueue) {",
        "if (world_.catalog.engine_config.heads_per_cycle < 0) {",
        "property", "Slices.*"),
    Mutation(
        "what ended counts as held for ever",
        "engine/state/records.cc",
        "  world.wake_all |= world.held.Remove(world.names, std::as_const(workload).usage);\n",
        "",
        "unit_cycle", "AmountLimits.*"),
]

CYCLE = [
    Mutation(
        "a failure is taken over though more is free",
        "engine/known/known_misfits.cc",
        "return look.available == AvailableOf(look.pair) &&",
        "return AvailableOf(look.pair) >= 0 &&",
        "unit_cycle", "KnownMisfits.*"),
    Mutation(
        "a failure is taken over though victims have come",
        "engine/known/known_misfits.cc",
        "search.Ask(workload, queue, demand).mode != FlavorMode::kNoCandidates",
        "search.Ask(workload, queue, demand).mode == FlavorMode::kFit",
        "unit_cycle", "KnownMisfits.*"),
    Mutation(
        "an admission is charged twice",
        "engine/cycle/cycle.cc",
        "Admit(world, workload, entry.assignment(), charged);",
        "Admit(world, workload, entry.assignment(), charged && !charged);",
        "unit_api", "EngineTest.*"),
    Mutation(
        "what was only tried in a tree stays charged",
        "engine/cycle/cycle.cc",
        "if (decided.Stays(decided.trees[i])) decided.mark.Keep(i);",
        "decided.mark.Keep(i);",
        "unit_preempt", "ReclaimExample.*"),
    Mutation(
        "an entry is not tried again on what is left",
        "engine/cycle/process.cc",
        "if (monotone && fits()) return true;",
        "if (monotone) return true;",
        "unit_cycle", "Processed.*"),
    Mutation(
        "two entries of a cycle claim the same victim",
        "engine/cycle/process.cc",
        "return taken->second.claims.victims.contains(victim.workload);",
        "return taken->second.claims.victims.contains(victim.workload) && "
        "entry.victims.empty();",
        "unit_cycle", "Processed.*"),
    Mutation(
        "the wake of a tree is lost",
        "engine/life/queueing.cc",
        "trees.end(), world.queue(id).tree)) queues.push_back(id);",
        "trees.end(), world.queue(id).tree + 1)) queues.push_back(id);",
        "unit_api", "EngineTest.*"),
]

STORE = [
    Mutation(
        "a sync is skipped",
        "db/sqlite/ledger.cc",
        'options.durability == Durability::kFull ? "FULL" : "NORMAL"',
        'options.durability == Durability::kFull ? "NORMAL" : "NORMAL"',
        "unit_db", "LedgerDurability.*"),
    Mutation(
        "a transaction is reported without its commit",
        "db/sqlite/ledger.cc",
        "if (status.ok()) status = transaction.Commit();",
        "",
        "unit_db", "*StorePromises.*"),
    Mutation(
        "a failed commit stays in the log",
        "db/sqlite/ledger.cc",
        "  wal.CutBack(*connection);\n  Status failure = pending.Fail(cause);",
        "  Status failure = pending.Fail(cause);",
        "fault_ledger", "FailedFlush.*"),
    Mutation(
        "a snapshot in a database is believed unseen",
        "db/postgres/history.cc",
        'return state_.digest == commit.stored.state_digest ? "" : WhatDiffers(seq);',
        'return seq == 0 ? WhatDiffers(seq) : "";',
        "fault_postgres", "PgSnapshot.*"),
    Mutation(
        "a group is durable before its transaction ended",
        "db/postgres/connection.cc",
        "if (!next_ || !answer.ok()) next_.emplace",
        "if (!next_) next_.emplace",
        "fault_postgres", "*GroupsOnTheirWay.*"),
    Mutation(
        "the tables of a follower say that they are further than they are",
        "db/follow/follower.cc",
        "{last.seq, PgBytes{hash},",
        "{last.seq + 1, PgBytes{hash},",
        "fault_postgres", "FollowedTables.*"),
    Mutation(
        "a commit is durable before it is stored",
        "db/store_thread.cc",
        "      const Ticket newest = appended;\n",
        "      const Ticket newest = appended;\n      durable = newest;\n"
        "      done.notify_all();\n",
        "unit_db", "StoreThread.*"),
    Mutation(
        "a decision is shown before it is durable",
        "engine/api/durability.cc",
        "ticket.ok() ? journal->Durable(*ticket) : ticket.status();",
        "ticket.ok() ? Status::Ok() : ticket.status();",
        "unit_api", "Durability.*"),
    Mutation(
        "a link of the hash chain is not checked",
        "db/chain_links.cc",
        ": prev_ && *before != *prev_) {",
        ": prev_ && *before != *prev_ && commit.seq == 0) {",
        "unit_db", "*TamperTest.*"),
    Mutation(
        "the content of a commit is not checked",
        "db/chain_links.cc",
        "if (computed != *stored)",
        "if (computed != *stored && !prev_)",
        "unit_db", "*TamperTest.*"),
    Mutation(
        "a row that was removed counts in the sum of the state",
        "db/sqlite/writer.cc",
        "state_digest_ -= static_cast<std::uint64_t>(table.remove->Number(0));",
        "",
        "unit_db", "*StorePromises.*"),
]

ALL = QUOTA + PREEMPTION + CAPACITY + RECORDS + CYCLE + STORE
