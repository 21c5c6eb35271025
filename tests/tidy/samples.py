"""Samples for the rules: what each must find and what it must leave alone.

BAD[rule] lists (places found, files, build), GOOD[rule] lists (files, build). Words that rules
forbid are put together from pieces, because the rules read this file as well.
"""

UNDONE = "TO" + "DO"
ROOT = "/" + "root"
PUBLIC = "engine/include/muster/a.h"
INVARIANTS = "engine/README.md"


def bad(expected, files, build=None):
    """One bad sample: `expected` are the places, as "path:line ...", or a path for its line 1."""
    places = [place if ":" in place else f"{place}:1" for place in expected.split()]
    return sorted(places), files, build


def good(files, build=None):
    return files, build


def guarded(guard):
    return f"#ifndef {guard}\n#define {guard}\n#endif  // {guard}\n"


BAD = {
    "files_are_short": [bad("a.cc:500", {"a.cc": "x\n" * 501})],
    "folders_stay_below_their_ceiling": [
        bad("engine/quota", {"engine/quota/a.cc": "int a;\n" * 601}),
        bad("engine/drawer/a.cc", {"engine/drawer/a.cc": "int a;\n"}),
    ],
    "lines_are_short": [bad("a.h:2", {"a.h": "x\n" + "y" * 101 + "\n"})],
    "whitespace_is_plain": [
        bad("a.cc:1", {"a.cc": "a\tb\n"}),
        bad("a.cc:1", {"a.cc": "a \n"}),
        bad("a.cc:1", {"a.cc": "a"}),
        bad("a.md:2", {"a.md": "a\n\n"}),
        bad("a.cc:1", {"a.cc": "a\r\n"}),
    ],
    "words_belong_here": [
        bad("a.md:2", {"a.md": f"fine\n{UNDONE}: later\n"}),
        bad("a.cc", {"a.cc": f'open("{ROOT}/x")\n'}),
        bad("a.sh", {"a.sh": "rm " + "/tm" + "p/x\n"}),
        bad("a.md", {"a.md": "see issue" + " 12\n"}),
        bad("a.cc", {"a.cc": "// fixes (" + "#12)\n"}),
    ],
    "only_people_are_who": [
        bad("a.cc", {"a.cc": "// wakes nobody\n"}),
        bad("a.cc", {"a.cc": 'Say("Whom it evicts");\n'}),
        bad("a.md:2", {"a.md": "people who wait\njobs who wait\n"}),
        bad("a.yaml", {"a.yaml": "# his own ancestor\n"}),
        bad("tests/tidy/text_rules.py", {"LICENSE": "something else\n"}),
    ],
    "files_open_with_their_purpose": [
        bad("a.cc", {"a.cc": "#include <map>\n"}),
        bad("a.cc", {"a.cc": '#include "db/other.h"\n'}),
        bad("a.sh", {"a.sh": "#!/bin/sh\nset -e\n"}),
        bad("a.lua", {"a.lua": "return 1\n"}),
        bad("a.py", {"a.py": "import os\n"}),
    ],
    "includes_name_the_whole_path": [
        bad("db/a.cc", {"db/a.cc": '#include "b.h"\n', "db/b.h": ""}),
    ],
    "public_headers_stand_alone": [
        bad(PUBLIC, {PUBLIC: '#include "engine/model/m.h"\n', "engine/model/m.h": ""}),
        bad(PUBLIC, {PUBLIC: "#include <unistd.h>\n"}),
    ],
    "engine_touches_no_world": [
        bad("engine/quota/a.cc", {"engine/quota/a.cc": "#include <thread>\n"}),
        bad("engine/quota/a.cc", {"engine/quota/a.cc": "#include <sqlite3.h>\n"}),
        bad("engine/quota/a.cc:2", {"engine/quota/a.cc": "\nauto t = std::time(nullptr);\n"}),
    ],
    "third_party_stays_in_its_folder": [
        bad("db/a.cc", {"db/a.cc": "#include <yaml-cpp/yaml.h>\n"}),
        bad("bindings/cli/a.cc", {"bindings/cli/a.cc": "#include <lua.hpp>\n"}),
        bad("db/a.cc", {"db/a.cc": "#include <boost/any.hpp>\n"}),
        bad("bindings/cpp/a.cc", {"bindings/cpp/a.cc": "#include <sqlite3.h>\n"}),
        bad("db/a.h db/b.h", {"db/a.h": "#include <spdlog/spdlog.h>\n",
                              "db/b.h": "#include <spdlog/spdlog.h>\n"}),
    ],
    "folders_see_only_what_lies_below": [
        bad("engine/quota/a.cc", {"engine/quota/a.cc": '#include "engine/cycle/b.h"\n',
                                  "engine/cycle/b.h": ""}),
        bad("db/a.cc", {"db/a.cc": '#include "bindings/manifest/b.h"\n',
                        "bindings/manifest/b.h": ""}),
        bad("new/a.cc", {"new/a.cc": '#include "db/b.h"\n', "db/b.h": ""}),
    ],
    "includes_form_no_circle": [
        bad("db/a.h", {"db/a.h": '#include "db/b.h"\n', "db/b.h": '#include "db/a.h"\n'}),
        bad("db", {"db/a.h": '#include "examples/b.h"\n', "db/c.h": "",
                   "examples/b.h": '#include "db/c.h"\n'}),
    ],
    "headers_are_guarded": [
        bad("db/a.h", {"db/a.h": guarded("MUSTER_A_H_")}),
        bad("db/a.h", {"db/a.h": "#pragma once\n"}),
        bad(PUBLIC, {PUBLIC: guarded("MUSTER_A_H_") + "int late;\n"}),
    ],
    "results_are_not_read_beside_their_call": [
        bad("a.c:2", {"a.c": "void F(void) {\n  Check(Open(path, &error), error);\n}\n"}),
    ],
    "public_functions_are_documented": [
        bad(f"{PUBLIC}:3", {PUBLIC: "/// Yes.\n\nint Forgotten(int a);\n"}),
        bad(f"{PUBLIC}:1", {PUBLIC: "virtual const Info& Get(\n    int a) const = 0;\n"}),
    ],
    "nothing_walks_a_hash_container": [
        bad("engine/a.cc:2", {
            "engine/a.cc": "std::unordered_map<int, int> seen;\nfor (auto& x : seen) {}\n"}),
        bad("db/a.cc", {"db/a.cc": "auto i = state.seen_.begin();\n",
                        "db/a.h": "std::unordered_set<std::string> seen_;\n"}),
    ],
    "only_capacity_charges": [
        bad("engine/cycle/a.cc:2", {
            "engine/cycle/a.cc": "// AddUsage(n)\ntree.AddUsage(node, usage);\n"}),
        bad("engine/life/a.h", {"engine/life/a.h": "std::optional<UsageMark> mark;\n"}),
        bad("engine/preempt/a.cc", {"engine/preempt/a.cc": "tree_.Pretend(n, c, 1);\n"}),
    ],
    "nothing_is_switched_off": [
        bad("a.cc", {"a.cc": "#if 0\n"}),
        bad("a_test.cc", {"a_test.cc": "TEST(A, DISABLED_B) {}\n"}),
        bad("a_test.cc", {"a_test.cc": "// TEST(A, B) {}\n"}),
        bad("a.cc", {"a.cc": "  // Call(it);\n"}),
        bad("CMakeLists.txt", {"CMakeLists.txt": "# add_subdirectory(fault)\n"}),
        bad("CMakeLists.txt", {"CMakeLists.txt": '# "db/fault_test.cc"\n'}),
        bad("p/policy_spec.lua", {"p/policy_spec.lua": "-- it('orders', f)\n"}),
    ],
    "skipped_tests_say_why": [bad("tests/a.cc", {"tests/a.cc": "GTEST_SKIP();\n"})],
    "every_source_is_built": [
        bad("tests/b_test.cc", {"a.cc": "", "tests/b_test.cc": ""}, frozenset(["a.cc"])),
        bad("CMakeLists.txt", {"a.cc": ""}),
    ],
    "every_header_is_included": [
        bad("db/a.h", {"db/a.h": "", "db/a.cc": '#include "db/a.h"\n'}),
    ],
    "dependencies_are_used": [
        bad("cmake/deps.sh", {"cmake/deps.sh": "libsqlite3-dev | keeps the ledger\n"}),
        bad("cmake/deps.sh", {"cmake/deps.sh": "", "db/a.cc": "#include <sqlite3.h>\n"}),
    ],
    "every_example_has_a_demo": [
        bad("examples/b/demo.sh", {"examples/a/demo.sh": "", "examples/b/README.md": ""}),
    ],
    "test_files_hold_tests": [
        bad("tests/a_test.cc", {"tests/a_test.cc": "int x;\n"}),
        bad("tests/b_test.cc", {"tests/a_test.cc": "TEST(A, B)", "tests/b_test.cc": "TEST(A, B)"}),
    ],
    "invariants_have_assert_and_test": [
        bad(INVARIANTS, {}),
        bad(INVARIANTS, {INVARIANTS: "No invariant at all.\n"}),
        bad(INVARIANTS, {INVARIANTS: "I1 sums hold. Assert `CheckSums`; test `Sums.Hold`\n",
                         "tests/a_test.cc": "TEST(Sums, Hold) {}"}),
        bad(INVARIANTS, {INVARIANTS: "I1 sums hold. Assert `CheckSums`; test `Sums.Hold`\n",
                         "engine/a.cc": "void CheckSums(int n) { MUSTER_CHECK(n > 0); }"}),
        bad(INVARIANTS, {INVARIANTS: "I1 sums hold. Assert `CheckSums`\n",
                         "engine/a.cc": "void CheckSums(int n) { MUSTER_CHECK(n > 0); }"}),
        bad(INVARIANTS, {INVARIANTS: "I1 sums hold. Assert `CheckSums`; test `Sums.Hold`\n",
                         "engine/a.cc": "void CheckSums() {}",
                         "tests/a_test.cc": "TEST(Sums, Hold) {}"}),
        bad(INVARIANTS, {INVARIANTS: "I1 sums hold: `CheckSums`; test `Sums.Hold`\n",
                         "engine/a.cc": "void CheckSums(int n) { MUSTER_CHECK(n > 0); }",
                         "tests/a_test.cc": "TEST(Sums, Hold) {}"}),
    ],
}

GOOD = {
    "files_are_short": [good({"a.cc": "x\n" * 500, "a.md": "x\n" * 900})],
    "folders_stay_below_their_ceiling": [
        good({"engine/quota/a.cc": "int a;\n" * 600 + "// says why\n\n" * 9,
              "tests/unit/quota/a_test.cc": "int a;\n" * 601, "db/a.cc": "int a;\n"}),
    ],
    "lines_are_short": [
        good({"a.h": "y" * 100 + "\n", "a.md": "y" * 300 + "\n",
              "a_test.cc": 'auto t = R"(\n' + "y" * 101 + '\n)";\n'}),
    ],
    "whitespace_is_plain": [good({"a.cc": "a\n", "Makefile": "a:\n\tb\n"})],
    "words_belong_here": [
        good({"a.md": "network/route, #define 5, color: #123abc; bad argument #1\n",
              "a.cc": '#include "engine/x.h"\n// the work of /proc/self\n'}),
    ],
    "only_people_are_who": [
        good({"a.md": "An operator who closes a queue; users who wait.\n"}),
        good({"a.cc": "TEST(Wakes, WakeNobodyElse) { Whole(); }  // the whole of it\n"}),
        good({"LICENSE": "on behalf of whom a Contribution has been received\n"}),
    ],
    "files_open_with_their_purpose": [
        good({"a.cc": "// Adds.\n", "a.sh": "#!/bin/sh\n# Adds.\n", "a.lua": "-- Adds.\n",
              "a.py": '"""Adds."""\n', "a.c": "/* Adds. */\n",
              "db/b.cc": '#include "db/b.h"\n', "b_test.cc": '#include "db/b.h"\n'}),
    ],
    "includes_name_the_whole_path": [
        good({"db/a.cc": '#include "db/b.h"\n#include "muster/a.h"\n', "db/b.h": "", PUBLIC: ""}),
        good({"examples/e/a.cc": '#include "b.h"\n', "examples/e/b.h": ""}),
    ],
    "public_headers_stand_alone": [
        good({PUBLIC: '#include <map>\n#include "muster/b.h"\n', "engine/include/muster/b.h": ""}),
    ],
    "engine_touches_no_world": [
        good({"engine/quota/a.cc": "#include <map>\n// std::time() is never called\n",
              "db/a.cc": "#include <thread>\n"}),
    ],
    "third_party_stays_in_its_folder": [
        good({"db/sqlite/a.cc": "#include <sqlite3.h>\n#include <unistd.h>\n#include <thread>\n",
              "tests/a.cc": "#include <gtest/gtest.h>\n"}),
    ],
    "folders_see_only_what_lies_below": [
        good({"engine/cycle/a.cc": '#include "engine/quota/b.h"\n', "engine/quota/b.h": "",
              "tests/a.cc": '#include "engine/cycle/c.h"\n', "engine/cycle/c.h": ""}),
    ],
    "includes_form_no_circle": [
        good({"db/a.h": '#include "db/b.h"\n#include "db/c.h"\n',
              "db/b.h": '#include "db/c.h"\n', "db/c.h": ""}),
    ],
    "headers_are_guarded": [
        good({PUBLIC: "// Adds.\n" + guarded("MUSTER_A_H_"),
              "db/a.h": guarded("MUSTER_DB_A_H_")}),
    ],
    "results_are_not_read_beside_their_call": [
        good({"a.c": "Check(Open(path, &error), &error);\ncode = Open(&error);\nCheck(error);\n"}),
    ],
    "public_functions_are_documented": [
        good({PUBLIC: "/// Adds.\nint Add(int a);\nint Add(double a);\n\n"
                      "int size() const { return 1; }\nint Get();  ///< the last one\n"
                      "\nint Add(float a);\n"}),
        good({PUBLIC: "class A {\n public:\n  A();\n\n private:\n  int Hidden(int a);\n};\n"}),
    ],
    "nothing_walks_a_hash_container": [
        good({"engine/a.cc": "std::unordered_map<int, int> seen;\nif (seen.count(1)) {}\n"
                             "std::map<int, int> sorted;\nfor (auto& x : sorted) {}\n"}),
    ],
    "only_capacity_charges": [
        good({"engine/cycle/a.cc": "capacity.Charge(place, usage); trial.Suppose(n, c, 1);\n",
              "engine/capacity/a.cc": "tree.AddUsage(n, usage);\n",
              "tests/a_test.cc": "tree.AddUsage(n, usage);\n"}),
    ],
    "nothing_is_switched_off": [
        good({"a.cc": "#if defined(A)\n// Calls it (once); then stops.\n",
              "CMakeLists.txt": "# add_test(NAME): one test.\nadd_subdirectory(fault)\n"}),
    ],
    "skipped_tests_say_why": [good({"tests/a.cc": "GTEST_SKIP() << why;\n"})],
    "every_source_is_built": [good({"a.cc": "", "b.h": ""}, frozenset(["a.cc"]))],
    "every_header_is_included": [
        good({"db/a.h": "", "db/b.cc": '#include "db/a.h"\n', PUBLIC: ""}),
    ],
    "dependencies_are_used": [
        good({"cmake/deps.sh": "libsqlite3-dev | keeps\n", "db/a.cc": "#include <sqlite3.h>\n"}),
    ],
    "every_example_has_a_demo": [
        good({"examples/a/demo.sh": "", "examples/README.md": ""}),
    ],
    "test_files_hold_tests": [
        good({"tests/a_test.cc": "TEST(A, B)", "tests/db/b_test.cc": "TEST(A, B)"}),
    ],
    "invariants_have_assert_and_test": [
        good({INVARIANTS: "I1 sums hold. Asserts `CheckSums`, `a::Check`; test `Sums.Hold`\n",
              "engine/a.cc": "void CheckSums(const A& a) const { if (a) { MUSTER_CHECK(a); } }\n"
                             "void a::Check() { CheckEverything(world); }",
              "tests/a_test.cc": "TEST(Sums, Hold) {}"}),
    ],
}
