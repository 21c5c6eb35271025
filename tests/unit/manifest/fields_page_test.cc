// docs/fields.md is what the reader does: every field that it knows has a row, every row a field,
// and the first word of a row is true. To see that, each field of the samples is left out in turn.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_parser.h"
#include "engine/validity/unread_fields.h"
#include "tests/testing/paths.h"

namespace muster::manifest {
namespace {

// ---- the page ----------------------------------------------------------------------------------

struct Row {
  std::string effect;  ///< its first word
  std::string shape;   ///< the section that its parts stand in; empty: it has none
  bool each = false;   ///< the parts are those of its items
  std::string shown_by;
  std::string origin;  ///< section and field
};
using Page = std::map<std::string, std::map<std::string, Row>>;  ///< section, field

std::string Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return std::string(text);
}

Row ReadRow(const std::string& effect, const std::string& shown_by) {
  Row row;
  row.effect = effect.substr(0, effect.find_first_of(":; "));
  row.shown_by = shown_by;
  const std::size_t as = effect.find("as [");
  if (as == std::string::npos) return row;
  row.shape = effect.substr(as + 4, effect.find(']') - as - 4);
  row.each = effect.substr(0, as).ends_with("each ");
  return row;
}

Page ReadPage() {
  Page page;
  std::string section;
  const std::string text = testing::ReadFile(testing::SourceDir() / "docs" / "fields.md");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("## ")) section = line.substr(3);
    if (!line.starts_with("| `")) continue;
    const std::size_t effect = line.find('|', 1);
    const std::size_t shown = line.find('|', effect + 1);
    Row row = ReadRow(Trimmed(line.substr(effect + 1, shown - effect - 1)),
                      Trimmed(line.substr(shown + 1, line.rfind('|') - shown - 1)));
    for (std::size_t open = line.find('`'); open < effect; open = line.find('`', open + 1)) {
      const std::size_t close = line.find('`', open + 1);
      const std::string field = line.substr(open + 1, close - open - 1);
      row.origin = section + " " + field;
      EXPECT_TRUE(page[section].emplace(field, row).second) << section << " " << field << " twice";
      open = close;
    }
  }
  return page;
}

/// Adds "KIND PATH" of every row of `section`, and of those that it refers to.
void Expand(const Page& page, const std::string& section, const std::string& prefix,
            std::map<std::string, Row>* rows) {
  const auto fields = page.find(section);
  ASSERT_NE(fields, page.end()) << "no section " << section;
  for (const auto& [field, row] : fields->second) {
    rows->emplace(prefix + field, row);
    if (!row.shape.empty()) {
      Expand(page, row.shape, prefix + field + (row.each ? "[]." : "."), rows);
    }
  }
}

// ---- the samples -------------------------------------------------------------------------------

void Write(const YamlNode& node, const YamlEntry* without, std::string* out) {
  switch (node.kind) {
    case NodeKind::kNull:
      *out += "null";
      return;
    case NodeKind::kScalar:
      *out += node.quoted ? "\"" + node.text() + "\"" : node.text();
      return;
    case NodeKind::kMap:
      *out += '{';
      for (const YamlEntry& entry : node.entries()) {
        if (&entry == without) continue;
        *out += "\"" + entry.key->text() + "\": ";
        Write(*entry.value, without, out);
        *out += ", ";
      }
      *out += '}';
      return;
    case NodeKind::kList:
      *out += '[';
      for (const YamlNode* item : node.items()) {
        Write(*item, without, out);
        *out += ", ";
      }
      *out += ']';
      return;
  }
}

/// What came of one document.
struct Reading {
  std::vector<Object> objects;
  std::vector<ResourceList> namespace_quotas;
  std::size_t errors = 0;  ///< with those of the engine about what it does not read
  std::vector<std::string> warnings;
};

Reading ReadWithout(const YamlNode& root, const YamlEntry* without, FieldLog* log = nullptr) {
  std::string text;
  Write(root, without, &text);
  ParseOptions options;
  options.refuse_unread = true;
  options.fields = log;
  const std::vector<Source> sources = {{"sample", text}};
  const Manifests manifests = Parse(sources, options);
  Reading reading;
  reading.objects = manifests.objects;
  reading.objects.insert(reading.objects.end(), manifests.left_out.begin(),
                         manifests.left_out.end());
  for (const NamespaceQuota& quota : manifests.namespace_quotas) {
    reading.namespace_quotas.push_back(quota.hard);
  }
  for (const Diagnostic& diagnostic : manifests.diagnostics) {
    if (diagnostic.severity == Severity::kError) {
      ++reading.errors;
    } else {
      reading.warnings.push_back(diagnostic.what);
    }
  }
  std::vector<Problem> unread;
  for (const Object& object : reading.objects) FindUnread(object, 0, unread);
  reading.errors += unread.size();
  return reading;
}

/// What leaving a field out was seen to change.
struct Seen {
  bool objects = false;
  bool is_missed = false;  ///< it is required
  bool fewer_errors = false;
  bool other_warnings = false;
};

void LeaveOut(const YamlNode& root, const YamlNode& node, const std::string& path,
              const Reading& whole, const FieldLog& known, std::map<std::string, Seen>* seen) {
  const std::string child = path.ends_with(' ') ? path : path + ".";
  for (const YamlEntry& entry : node.entries()) {
    const std::string field = child + entry.key->text();
    if (known.contains(field)) {
      const Reading rest = ReadWithout(root, &entry);
      Seen& change = (*seen)[field];
      change.objects |=
          rest.objects != whole.objects || rest.namespace_quotas != whole.namespace_quotas;
      change.is_missed |= rest.errors > whole.errors;
      change.fewer_errors |= rest.errors < whole.errors;
      change.other_warnings |= rest.warnings != whole.warnings;
    }
    LeaveOut(root, *entry.value, field, whole, known, seen);
  }
  for (const YamlNode* item : node.items()) LeaveOut(root, *item, path + "[]", whole, known, seen);
}

struct FieldSamples {
  FieldLog known;
  std::map<std::string, Seen> seen;
  std::set<std::string> kinds;
};

FieldSamples ReadFieldSamples() {
  FieldSamples samples;
  const auto folder = testing::SourceDir() / "tests" / "unit" / "manifest" / "fields";
  for (const auto& path : testing::FilesUnder(folder, ".yaml")) {
    YamlArena arena;
    Reporter reporter;
    for (const YamlNode* root : ParseYaml(testing::ReadFile(path), arena, reporter)) {
      const std::string kind(root->Find("kind")->text());
      samples.kinds.insert(kind);
      FieldLog known;
      const Reading whole = ReadWithout(*root, nullptr, &known);
      EXPECT_FALSE(known.empty()) << path << " " << kind;
      samples.known.insert(known.begin(), known.end());
      LeaveOut(*root, *root, kind + " ", whole, known, &samples.seen);
    }
    EXPECT_EQ(reporter.errors(), 0U) << path;
  }
  return samples;
}

// ---- what must hold ----------------------------------------------------------------------------

class FieldsPage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    samples_ = ReadFieldSamples();
    page_ = ReadPage();
    for (const std::string& kind : samples_.kinds) Expand(page_, kind, kind + " ", &rows_);
  }
  inline static FieldSamples samples_;
  inline static Page page_;
  inline static std::map<std::string, Row> rows_;
};

TEST_F(FieldsPage, HasARowForEveryFieldThatIsAccepted) {
  ASSERT_GT(samples_.known.size(), 500U);
  for (const std::string& field : samples_.known) {
    EXPECT_TRUE(rows_.contains(field)) << field << " is accepted; docs/fields.md lacks it";
  }
}

TEST_F(FieldsPage, HasNoRowForAFieldThatIsNotAccepted) {
  std::map<std::string, bool> known;  // a part that several kinds share: in one of them
  for (const auto& [field, row] : rows_) known[row.origin] |= samples_.known.contains(field);
  for (const auto& [origin, is_known] : known) {
    EXPECT_TRUE(is_known) << origin << " is in docs/fields.md only";
  }
}

// A part that several kinds share need not be whole in each of them, and does something in one.
TEST_F(FieldsPage, SaysWhatAFieldDoes) {
  std::map<std::string, Seen> by_row;
  for (const auto& [field, change] : samples_.seen) {
    const auto row = rows_.find(field);
    if (row == rows_.end()) continue;
    Seen& all = by_row[row->second.origin];
    all.objects |= change.objects;
    all.is_missed |= change.is_missed;
    all.fewer_errors |= change.fewer_errors;
    all.other_warnings |= change.other_warnings;
  }
  for (const auto& [name, row] : rows_) {
    const auto found = by_row.find(row.origin);
    EXPECT_TRUE(found != by_row.end()) << name << " is in no sample";
    if (found == by_row.end()) continue;
    const Seen& change = found->second;
    const std::string& field = row.origin;
    if (row.effect == "decides" || row.effect == "kept") {
      EXPECT_TRUE(change.objects || change.is_missed)
          << field << ": leaving it out changes nothing";
    } else if (row.effect == "none") {
      EXPECT_FALSE(change.objects) << field << ": leaving it out changes what is read";
      EXPECT_FALSE(change.fewer_errors || change.other_warnings) << field << " is reported";
    } else if (row.effect == "warned") {
      EXPECT_TRUE(change.other_warnings) << field << " is not warned of";
      EXPECT_FALSE(change.fewer_errors) << field << " is refused";
    } else if (row.effect == "refused") {
      EXPECT_TRUE(change.fewer_errors) << field << " is not refused";
    } else {
      ADD_FAILURE() << field << ": no such effect: " << row.effect;
    }
  }
}

TEST_F(FieldsPage, NamesTestsThatExistAndScenariosThatHaveTheField) {
  std::string tests;
  for (const auto& path : testing::FilesUnder(testing::SourceDir() / "tests", "_test.cc")) {
    tests += testing::ReadFile(path);
  }
  for (const auto& [section, fields] : page_) {
    for (const auto& [field, row] : fields) {
      const std::string& shown = row.shown_by;
      EXPECT_EQ(shown.empty(), row.effect != "decides") << section << " " << field;
      if (shown.empty()) continue;
      if (shown.find('/') != std::string::npos) {
        const auto scenario = testing::SourceDir() / "tests" / "scenarios" / (shown + ".yaml");
        ASSERT_TRUE(std::filesystem::exists(scenario)) << field << ": " << shown;
        EXPECT_NE(testing::ReadFile(scenario).find(field.substr(field.rfind('.') + 1)),
                  std::string::npos)
            << field << " does not occur in " << shown;
        continue;
      }
      const std::size_t dot = shown.find('.');
      ASSERT_NE(dot, std::string::npos) << field << ": " << shown;
      const std::string name = "(" + shown.substr(0, dot) + ", " + shown.substr(dot + 1) + ")";
      EXPECT_NE(tests.find(name), std::string::npos) << field << ": there is no test " << shown;
    }
  }
}

}  // namespace
}  // namespace muster::manifest
