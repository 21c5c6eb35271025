// Random calls about values, times, reports and the library itself; calls_fuzz.cc has the others.
#ifndef MUSTER_TESTS_C_LIBRARY_CALLS_MORE_H_
#define MUSTER_TESTS_C_LIBRARY_CALLS_MORE_H_

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

#include "bindings/c/include/muster.h"
#include "tests/c_library/calls_out.h"
#include "tests/c_library/calls_packages.h"
#include "tests/c_library/calls_texts.h"

namespace muster::testing {

inline void Update(muster_engine* engine, std::int64_t now, Choices& choose, Out& out) {
  std::array<muster_pod_count, 2> pods{};
  for (muster_pod_count& each : pods) {
    each.size = sizeof each;
    each.pod_set = choose.Below(2) == 0 ? "main" : choose.Name();
    each.count = static_cast<std::int32_t>(choose.Number());
  }
  muster_changes changes{};
  changes.size = choose.Below(8) == 0 ? static_cast<std::uint32_t>(choose.Number())
                                      : std::uint32_t{sizeof changes};
  changes.ns = choose.Below(8) == 0 ? choose.Name() : "team";
  changes.name = choose.Name();
  changes.has_priority = choose.Below(2) == 0 ? 1 : 0;
  changes.priority = static_cast<std::int32_t>(choose.Number());
  changes.active = static_cast<std::int32_t>(choose.Below(4));
  if (choose.Below(4) == 0) changes.checkpointed = choose.Below(2) == 0 ? now : choose.Number();
  if (choose.Below(4) == 0) {
    changes.counts = pods.data();
    changes.counts_length = choose.Below(3);
  }
  if (choose.Below(4) == 0) {
    changes.reclaimable = pods.data();
    changes.reclaimable_length = choose.Below(3);
  }
  if (choose.Below(4) == 0) changes.open_gates = choose.Of(std::array{"", "a", "a,b", ",", ",,a"});
  if (choose.Below(4) == 0) changes.uid = choose.Name();
  out.Check(muster_update(engine, choose.Below(16) == 0 ? nullptr : &changes, now, &out.error));
}

inline void AskOfObjects(muster_engine* engine, std::int64_t now, Choices& choose, Out& out) {
  const std::string text = choose.Text(kManifests);
  switch (choose.Below(4)) {
    case 0:
      return out.Check(muster_advise(engine, text.data(), text.size(), choose.Name(),
                                     static_cast<std::int32_t>(choose.Number()), &out.bytes,
                                     &out.error));
    case 1:
      return out.Check(muster_delete(engine, choose.Of(kKinds), choose.Name(), choose.Name(),
                                     static_cast<std::int32_t>(choose.Below(2)), now, &out.error));
    case 2:
      return out.Check(
          muster_pod_set_updates(engine, "team", choose.Name(), &out.bytes, &out.error));
    default:
      return out.Check(muster_pod_requests(engine, "team", choose.Name(), &out.bytes, &out.error));
  }
}

inline void AskOfTimes(muster_engine* engine, std::int64_t now, Choices& choose, Out& out) {
  std::int64_t last = 0;
  switch (choose.Below(4)) {
    case 0:
      return out.Check(muster_check_time(engine, choose.Number(), &out.error));
    case 1:
      return out.Check(muster_last_time(engine, &last, &out.error));
    case 2:
      return out.Check(muster_set_caller(engine, choose.Name(), &out.error));
    default: {
      const std::string json =
          choose.Text(std::array{R"({"futures":2,"questions":2})", "{}", "[", ""});
      return out.Check(muster_eta(engine, json.data(), json.size(), now, &out.bytes, &out.error));
    }
  }
}

/// Verbs over small files, and over the ledger of the session, where it has one.
inline void Report(muster_engine*, const std::filesystem::path& folder, Choices& choose, Out& out) {
  const auto& files = Packages::Files();
  const std::string ledger = folder.empty() ? "/nowhere/ledger" : (folder / "ledger").string();
  const std::string cluster = R"({"filename":[")" + files[0] + R"("],)";
  const std::array<std::string, 3> simulations = {cluster + R"("jobs":")" + files[1] + R"("})",
                                                  cluster + R"("jobs":"none.csv"})", "{"};
  const std::string past = R"({"db":")" + ledger + R"("})";
  switch (choose.Below(3)) {
    case 0: {
      const std::string json = choose.Of(simulations);
      return out.Check(muster_simulate(json.data(), json.size(), &out.bytes, &out.error));
    }
    case 1:
      return out.Check(muster_backtest(past.data(), past.size(), &out.bytes, &out.error));
    default: {
      const char* const verb = choose.Of(
          std::array{"usage", "policy list", "ledger export", "get", "defrag", "apply", "", "a b"});
      return out.Check(muster_report(verb, past.data(), past.size(), &out.bytes, &out.error));
    }
  }
}

/// What the library says without an engine.
inline void AskLibrary(Choices& choose, Out& out) {
  if (muster_abi_version() == 0 || muster_now() <= 0 || *muster_version() == '\0') {
    Fail("the library", "does not know itself");
  }
  const auto sink = [](void* context, std::int32_t, const char* message, std::size_t size) {
    if (context == nullptr || message[size] != '\0') Fail("a message", "does not end");
  };
  int context = 0;
  muster_set_log_sink(sink, &context);
  muster_set_log_level(static_cast<std::int32_t>(choose.Number()));
  muster_set_log_level(MUSTER_OFF);
  muster_set_log_sink(nullptr, nullptr);
  out.Must(muster_schema(&out.bytes, &out.error));
}

}  // namespace muster::testing

#endif  // MUSTER_TESTS_C_LIBRARY_CALLS_MORE_H_
