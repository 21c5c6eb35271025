// The protections of the policy sandbox, one switch each, and its limits.
//
// Every switch is on in production. A test turns one off and shows that the attack it stops then
// succeeds: that is how we know which protection does the work.
#ifndef MUSTER_BINDINGS_LUAJIT_SANDBOX_OPTIONS_H_
#define MUSTER_BINDINGS_LUAJIT_SANDBOX_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace muster::luajit {

struct Limits {
  std::size_t memory = 8u << 20;  ///< bytes a state may hold while the policy file is run
  std::size_t block = 1u << 20;   ///< largest single block it may ask for then
  /// The same while a hook runs: more than `one_item_fuel` buys, beside what the file holds and the
  /// garbage of other items. What a call may hold must not depend on what ran before it.
  std::size_t call_memory = 96u << 20;
  std::size_t call_block = 8u << 20;
  std::size_t overshoot = 16u << 20;      ///< above these: refused, not drained
  std::int32_t load_fuel = 50'000;        ///< for running the policy file once
  std::int32_t call_fuel = 200;           ///< per call of a hook
  std::int32_t item_fuel = 50;            ///< per item of its batch
  std::int32_t one_item_fuel = 65'536;    ///< at most for one item, of what its batch has
  std::int32_t max_fuel = 1'000'000'000;  ///< whatever the batch
  double load_seconds = 5;  ///< a thread's own time for running the file and trying its hooks
  double seconds = 0.4;     ///< a thread's own time for all calls of a cycle; see cycle_time.h
};

/// A line of a policy that LuaJIT does not compile.
struct TraceAbort {
  int line = 0;
  std::string reason;  ///< in LuaJIT's words
  std::string cure;
};

struct SandboxOptions {
  // Checked by the prelude.
  bool allow_list = true;        ///< names that are not listed do not exist
  bool library_copies = true;    ///< libraries are copies, not the host's tables
  bool locked_tables = true;     ///< globals and libraries cannot be written to
  bool frozen_file = true;       ///< nor can what the file has made, once it was run
  bool string_metatable = true;  ///< strings have a metatable of their own
  bool sorted_pairs = true;      ///< pairs has a fixed order
  bool charges = true;           ///< work inside C functions costs fuel
  bool bounded_rep = true;       ///< string.rep has a largest result
  bool bounded_join = true;      ///< and so has a concatenation
  bool fatal_overflow = true;    ///< a caught stack overflow fails the call all the same
  bool declared_reads = true;    ///< volatile fields must be declared
  bool raw_results = true;       ///< tables from a policy are read without metamethods
  // Checked by the host.
  bool text_only = true;     ///< bytecode is refused
  bool rewriting = true;     ///< fuel ticks are put into the source
  bool ascii_names = true;   ///< no name can be that of the fuel cell
  bool source_rules = true;  ///< ^, kept views, writes to outer locals, 64-bit literals are refused
  bool plain_errors = true;  ///< error objects are never turned into text by their own code
  bool checked_keys = true;  ///< keys must be finite
  bool memory_drain = true;  ///< above the memory limit the fuel is gone
  bool block_limit = true;   ///< single blocks have a largest size
  Limits limits;
  bool compiled = true;              ///< off: LuaJIT only interprets; the answers are the same
  std::int64_t fail_allocation = 0;  ///< not 0: that allocation of the state fails, once
  /// Its hooks are tried on the values that it compares with, too. Only a package that is new to
  /// the engine is: what decided before must load again.
  bool probing = false;
  bool count_trials = false;  ///< trials of loading are in `counts`
  /// Not null: how often each SourceMark of the policy was passed, not counting the trials of
  /// loading; grows as needed and must outlive the policy. Specs with coverage set it.
  std::vector<std::uint64_t>* counts = nullptr;
  std::vector<TraceAbort>* aborts = nullptr;  ///< not null: see trace_aborts.h
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SANDBOX_OPTIONS_H_
