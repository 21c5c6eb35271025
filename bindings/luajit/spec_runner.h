// Runs the specs of a package: busted's words, the package in its real sandbox, and an engine when
// the caller has one to offer.
//
// Specs are the operator's own code like the package. They see no files and no clock, and a test
// that runs too long or takes too much memory ends with an error, and so do all of a package.
#ifndef MUSTER_BINDINGS_LUAJIT_SPEC_RUNNER_H_
#define MUSTER_BINDINGS_LUAJIT_SPEC_RUNNER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/policy_package.h"
#include "muster/policy.h"

namespace muster::luajit {

/// Engines in memory that specs make and move. Requests and answers are JSON; what they may hold is
/// in policies/testing/world.lua.
class SpecWorld {
 public:
  virtual ~SpecWorld() = default;
  /// `policy`: the generation for a new engine; null otherwise, and when none is wanted.
  virtual std::string Ask(std::string_view request, const std::shared_ptr<Policy>& policy) = 0;
};

struct SpecOptions {
  std::string filter = {};     ///< part of a test's full name; empty: all tests
  std::string tags = {};       ///< "slow,fast": tests must have all of them, as #slow
  int seed = 1;                ///< of property tests
  bool update = false;         ///< goldens are written instead of compared
  bool stop = false;           ///< after the first failure
  SpecWorld* world = nullptr;  ///< null: tests that need an engine are pending
  std::vector<std::uint64_t>* counts = nullptr;  ///< see SandboxOptions::counts
};

enum class SpecVerdict { kPassed, kFailed, kPending };

struct SpecCase {
  std::string name;  ///< of the test with what it stands in
  std::string file;  ///< "policies/x/policy_spec.lua"
  int line = 0;      ///< of the failure, else of the test; 0: unknown
  SpecVerdict verdict = SpecVerdict::kPassed;
  std::string message;    ///< why it failed or is pending
  double seconds = 0;     ///< that it took
  std::int64_t fuel = 0;  ///< that hooks asked by the test itself used
};

struct SpecRun {
  std::vector<SpecCase> cases;
  std::map<std::string, std::string> goldens;  ///< path in the package -> text, with `update`
  bool failed = false;                         ///< some case did
};

/// Runs every *_spec.lua of the package; never throws. A package or spec that cannot be loaded is a
/// failed case.
SpecRun RunSpecs(const PackageSource& source, const SpecOptions& options = {});

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_SPEC_RUNNER_H_
