// Every public call of an engine, for laws that hold for all of them. A new one has to come in
// here: `PublicNames` reads the header, and a table without it is noticed.
#ifndef MUSTER_TESTS_TESTING_ENGINE_CALLS_H_
#define MUSTER_TESTS_TESTING_ENGINE_CALLS_H_

#include <functional>
#include <map>
#include <set>
#include <string>

#include "muster/engine.h"

namespace muster::testing {

using EngineCalls = std::map<std::string, std::function<Status(Engine&)>>;

/// By name. Each is about something that is not there.
const EngineCalls& AllEngineCalls();

/// Names of the functions in the public part of class `name` in the header `path` of the source
/// tree, without constructors, destructor and operators.
std::set<std::string> PublicNames(const std::string& path, const std::string& name);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_TESTING_ENGINE_CALLS_H_
