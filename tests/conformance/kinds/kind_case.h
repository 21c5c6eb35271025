// One recorded case of a job kind: its input, what the reference made of it, and what we make.
#ifndef MUSTER_TESTS_CONFORMANCE_KINDS_KIND_CASE_H_
#define MUSTER_TESTS_CONFORMANCE_KINDS_KIND_CASE_H_

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace muster::conformance {

/// Inputs (NAME.yaml with NAME.json beside it) by family, the name before its last dash.
std::map<std::string, std::vector<std::filesystem::path>> FindKindCases(
    const std::filesystem::path& folder);

/// What differs from the recording, a line each; empty when nothing does.
std::vector<std::string> RunKindCase(const std::filesystem::path& input);

/// The rules, as "job.cc:123", that an update in the case breaks; none for another action.
std::set<std::string> RulesBrokenIn(const std::filesystem::path& input);

}  // namespace muster::conformance

#endif  // MUSTER_TESTS_CONFORMANCE_KINDS_KIND_CASE_H_
