// Rewrites the `expect` values of a scenario file in place and leaves every other byte alone.
#ifndef MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_UPDATE_H_
#define MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_UPDATE_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/json.h"
#include "bindings/lab/scenario/scenario_test.h"

namespace muster::lab {

/// What an `expect` should say: the parts of `got` that `expected` names, or all three when it
/// names none, without messages, which are words and no contract.
Json NewExpectation(const Json& expected, const Json& got);

/// `text` with the value of the key `expect` at `line` and `column` (from 1) replaced: in block
/// style where a block stood there, else in flow style. Returns `text` when no such key is there.
std::string ReplaceExpectation(std::string_view text, int line, int column, const Json& value);

/// `text` with every failed expectation among `checks` brought up to date.
std::string UpdateExpectations(std::string_view text, const std::vector<Check>& checks);

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SCENARIO_EXPECT_UPDATE_H_
