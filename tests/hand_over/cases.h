// The cases of cases.json, played through any door to an engine that keeps a ledger.
#ifndef MUSTER_TESTS_HAND_OVER_CASES_H_
#define MUSTER_TESTS_HAND_OVER_CASES_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace muster::testing {

/// What a call said.
struct Said {
  std::string code;  ///< "NotFound"; empty: it was done
  std::string text;  ///< an answer of the wire, or why not
};

class Door {
 public:
  virtual ~Door() = default;
  /// A command of the wire; times are nanoseconds since 1970.
  virtual Said Do(const std::string& command, std::int64_t at) = 0;
  /// Decisions behind the cursor of `consumer`, or behind a number.
  virtual Said DecisionsOf(const std::string& consumer, std::size_t most) = 0;
  virtual Said DecisionsAfter(std::int64_t number, std::size_t most) = 0;
  /// The phase of a workload of namespace team.
  virtual Said Phase(const std::string& name) = 0;
  /// The engine goes, and another one opens its ledger.
  virtual void Restart() = 0;
};

/// The file. Throws where it is none.
nlohmann::json HandOverCases();

/// "finish_AfterARestart"
std::string NameOf(const nlohmann::json& one);

/// Plays one case; tells gtest where it goes otherwise.
void Play(const nlohmann::json& file, const nlohmann::json& one, Door& door);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_HAND_OVER_CASES_H_
