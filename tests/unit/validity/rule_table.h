// Tables of validation rules: how each is broken, at which field that is reported, and the nearest
// input that keeps it.
#ifndef MUSTER_TESTS_UNIT_VALIDITY_RULE_TABLE_H_
#define MUSTER_TESTS_UNIT_VALIDITY_RULE_TABLE_H_

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/validity/validate.h"

namespace muster {

template <typename T>
struct Rule {
  using Edit = std::function<void(T&)>;
  Rule(const char* rule_name, Edit break_it, std::string problem_field, Edit keep_it = nullptr)
      : name(rule_name),
        breaks(std::move(break_it)),
        field(std::move(problem_field)),
        keeps(std::move(keep_it)) {}

  const char* name;
  Edit breaks;
  std::string field;  ///< of the only problem
  Edit keeps;         ///< a legal neighbour; none: the valid object itself
};

inline std::string Describe(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& p : problems) text += "\n  " + p.field + ": " + p.what + "; " + p.cure;
  return text;
}

inline std::vector<Problem> ProblemsOf(const Object& object) {
  std::vector<Problem> problems;
  ValidateObject(object, 7, problems);
  return problems;
}

/// Every rule, applied alone to `valid`, gives one problem with place, sentence and cure.
template <typename T>
void ExpectRules(const T& valid, const std::vector<Rule<T>>& rules) {
  ASSERT_TRUE(ProblemsOf(valid).empty()) << Describe(ProblemsOf(valid));
  for (const Rule<T>& rule : rules) {
    T broken = valid;
    rule.breaks(broken);
    const std::vector<Problem> problems = ProblemsOf(broken);
    EXPECT_EQ(problems.size(), 1u) << rule.name << Describe(problems);
    if (!problems.empty()) {
      EXPECT_EQ(problems[0].field, rule.field) << rule.name;
      EXPECT_EQ(problems[0].object, 7u);
      EXPECT_FALSE(problems[0].what.empty()) << rule.name;
      EXPECT_FALSE(problems[0].cure.empty()) << rule.name;
    }
    if (!rule.keeps) continue;
    T kept = valid;
    rule.keeps(kept);
    EXPECT_TRUE(ProblemsOf(kept).empty()) << rule.name << Describe(ProblemsOf(kept));
  }
}

inline std::vector<std::string> Numbered(const std::string& stem, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(stem + std::to_string(i));
  return names;
}

}  // namespace muster

#endif  // MUSTER_TESTS_UNIT_VALIDITY_RULE_TABLE_H_
