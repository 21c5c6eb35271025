#include "bindings/objects/topology.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "bindings/objects/job_kinds.h"
#include "bindings/objects/json_text.h"
#include "bindings/objects/marks.h"
#include "bindings/objects/segments.h"

namespace muster::objects {
namespace {

const Value& Marks(const Value& pod_template) {
  return pod_template.At({"metadata", "annotations"});
}

std::optional<std::int64_t> Int32In(std::string_view text) {
  const auto number = WholeNumber(text);
  if (!number || *number > std::numeric_limits<std::int32_t>::max() ||
      *number < std::numeric_limits<std::int32_t>::min()) {
    return std::nullopt;
  }
  return number;
}

bool IsAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool IsSameLetter(char a, char b) {
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  return lower(a) == lower(b);
}

/// The field of a layer as Go finds it: names differ in more than their case, null says nothing.
const Value& FieldOf(const Value& layer, std::string_view name) {
  static const Value kNone;
  const Value* last = &kNone;
  for (const auto& [key, value] : layer.entries) {
    if (std::equal(key.begin(), key.end(), name.begin(), name.end(), IsSameLetter) &&
        !value.IsNull()) {
      last = &value;
    }
  }
  return *last;
}

/// The layers with what counts of each, {topology, size}, either may be missing; other keys are
/// passed by, and an entry that is null has neither.
std::optional<Value> LayersIn(std::string_view text, std::string* error) {
  const std::optional<Value> read = ReadJson(text);
  if (!read || !(read->IsList() || read->IsNull())) {
    *error = "is no JSON list of {topology, size}";
    return std::nullopt;
  }
  Value layers = Value::List();
  for (const Value& each : read->items) {
    const Value& size = FieldOf(each, "size");
    const Value& topology = FieldOf(each, "topology");
    const bool is_number = size.kind == ValueKind::kNumber && Int32In(size.text).has_value();
    if ((!each.IsMap() && !each.IsNull()) || !(size.IsNull() || is_number) ||
        !(topology.IsNull() || topology.IsText())) {
      *error = "has an entry that is no {topology, size} of a text and a whole number";
      return std::nullopt;
    }
    Value& layer = layers.items.emplace_back(Value::Map());
    if (!topology.IsNull()) layer.Set("topology", topology);
    if (!size.IsNull()) layer.Set("size", size);
  }
  if (layers.items.empty() || layers.items.size() > 3) {
    *error = "must contain between 1 and 3 entries, not " + std::to_string(layers.items.size());
    return std::nullopt;
  }
  return layers;
}

struct Report {
  const std::string& at;  ///< "T.annotations"
  FieldErrors* errors;
  void operator()(std::string_view type, std::string_view key, std::string_view what,
                  std::string_view cure, const std::string& rest = "",
                  Line rule = Line::Here()) const {
    const std::string field = key.empty() ? at : at + "[" + std::string(key) + "]" + rest;
    errors->push_back(Wrong(type, field, std::string(what), std::string(cure), rule));
  }
};

constexpr std::string_view kInvalid = "Invalid";
constexpr std::string_view kForbidden = "Forbidden";
constexpr std::string_view kRequired = "Required";

/// What is made of the text of a mark stands where that does.
Value PlacedAt(const Value& mark, Value made) {
  made.line = made.key_line = mark.line;
  made.column = made.key_column = mark.column;
  return made;
}

void CheckSlices(const Value& marks, std::int64_t count, const Report& report) {
  const Value* level = marks.Find(mark::kSliceTopology);
  const Value* size = marks.Find(mark::kSliceSize);
  if (level != nullptr && !IsLabelName(level->text)) {
    report(kInvalid, mark::kSliceTopology, "is no name of a node label",
           "name a level of the topology");
  }
  if (level == nullptr && size != nullptr) {
    report(kForbidden, mark::kSliceSize, "needs " + std::string(mark::kSliceTopology),
           "add that annotation or remove this one");
  }
  if (size == nullptr) {
    if (level == nullptr) return;
    report(kRequired, mark::kSliceSize, "is missing", "add the number of pods in a slice");
    return;
  }
  const auto number = Int32In(size->text);
  if (!number || *number < 1) {
    report(kInvalid, mark::kSliceSize, "must be a whole number from 1", "write for example \"2\"");
  } else if (count >= 0 && *number > count) {
    report(kInvalid, mark::kSliceSize, "is larger than the podset",
           "write at most " + std::to_string(count));
  }
}

void CheckLayers(const Value& marks, std::int64_t count, const Report& report) {
  const Value* text = marks.Find(mark::kSliceConstraints);
  if (text == nullptr) return;
  for (const std::string_view other : {mark::kSliceTopology, mark::kSliceSize}) {
    if (!marks.Has(other)) continue;
    report(kForbidden, mark::kSliceConstraints, "cannot stand beside " + std::string(other),
           "keep one of them");
  }
  std::string error;
  const auto layers = LayersIn(text->text, &error);
  if (!layers) {
    report(kInvalid, mark::kSliceConstraints, error, "write [{\"topology\": LEVEL, \"size\": N}]");
    return;
  }
  std::vector<std::string> seen;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < layers->items.size(); ++i) {
    const Value& layer = layers->items[i];
    const std::string& topology = layer.At("topology").text;
    const std::int64_t size = layer.At("size").IntOr(0);
    const std::string at = "[" + std::to_string(i) + "]";
    if (!IsLabelName(topology)) {
      report(kInvalid, mark::kSliceConstraints, "is no name of a node label",
             "name a level of the topology", at + ".topology");
    }
    if (size < 1) {
      report(kInvalid, mark::kSliceConstraints, "must be at least 1", "write a size from 1",
             at + ".size");
    }
    if (std::find(seen.begin(), seen.end(), topology) != seen.end()) {
      report("Duplicate", mark::kSliceConstraints, "stands there twice", "remove one",
             at + ".topology");
    }
    seen.push_back(topology);
    if (i > 0 && size >= 1 && before >= 1 && before % size != 0) {
      report(kInvalid, mark::kSliceConstraints, "does not divide the size before",
             "write a divisor of " + std::to_string(before), at + ".size");
    }
    before = size;
  }
  if (count >= 0 && layers->items[0].At("size").IntOr(0) > count) {
    report(kInvalid, mark::kSliceConstraints, "has slices larger than the podset",
           "write a size of at most " + std::to_string(count));
  }
}

void CheckGroupName(const Value& marks, const Report& report) {
  const Value* name = marks.Find(mark::kPodSetGroup);
  if (name == nullptr) return;
  if (WholeNumber(name->text)) {
    report(kInvalid, mark::kPodSetGroup, "must not be a number", "begin it with a letter");
  }
  for (const std::string_view other :
       {mark::kSliceSize, mark::kSliceTopology, mark::kSliceConstraints}) {
    if (!marks.Has(other)) continue;
    report(kForbidden, mark::kPodSetGroup, "cannot stand beside " + std::string(other),
           "keep one of them");
  }
  if (!marks.Has(mark::kRequiredTopology) && !marks.Has(mark::kPreferredTopology)) {
    report(kForbidden, mark::kPodSetGroup, "needs a required or preferred topology",
           "add " + std::string(mark::kRequiredTopology) + " with a level, or remove this one");
  }
}

/// Where mistakes are told; a template that no other rule looks at is named by its place.
std::string AnnotationsOf(const JobPodSet& set) {
  if (!set.field.empty()) return set.field + ".annotations";
  std::string field;
  for (const std::string& part : set.place) field += part + ".";
  return field + "metadata.annotations";
}

}  // namespace

bool IsSubdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  char before = '.';
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!word && c != '-' && c != '.') return false;
    if (!word && before == '.') return false;  // a label begins with a letter or digit
    if (c == '.' && before == '-') return false;
    before = c;
  }
  return before != '.' && before != '-';
}

bool IsLabelName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!IsSubdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  if (text.empty() || text.size() > 63 || !IsAlnum(text.front()) || !IsAlnum(text.back())) {
    return false;
  }
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

std::string ReadTopology(JobPodSet* set, const Setting& setting) {
  set->topology = Value();
  if (!setting.GateIsOn("TopologyAwareScheduling")) return "";
  const Value& marks = Marks(set->pod_template);
  Value request = Value::Map();
  if (const Value* required = marks.Find(mark::kRequiredTopology)) {
    request.Set("required", *required);
  } else if (const Value* preferred = marks.Find(mark::kPreferredTopology)) {
    request.Set("preferred", *preferred);
  } else if (const Value* free = marks.Find(mark::kUnconstrainedTopology)) {
    const auto truth = TruthValue(free->text);
    if (!truth) {
      return std::string(mark::kUnconstrainedTopology) + " must be true or false, not \"" +
             free->text + "\"";
    }
    request.Set("unconstrained", Value::Bool(*truth));
  }
  const bool has_mode = !request.Empty();
  const Value* layers = marks.Find(mark::kSliceConstraints);
  if (layers != nullptr && setting.GateIsOn("TASMultiLayerTopology")) {
    std::string error;
    const auto list = LayersIn(layers->text, &error);
    if (!list) return std::string(mark::kSliceConstraints) + " " + error;
    request.Set("podsetSliceRequiredTopologyConstraints", PlacedAt(*layers, *list));
  } else if (marks.Has(mark::kSliceTopology) && marks.Has(mark::kSliceSize)) {
    const auto size = Int32In(marks.At(mark::kSliceSize).text);
    if (!size) return std::string(mark::kSliceSize) + " must be a whole number";
    request.Set("podSetSliceRequiredTopology", marks.At(mark::kSliceTopology));
    request.Set("podSetSliceSize", PlacedAt(marks.At(mark::kSliceSize), Value::Number(*size)));
  }
  if (const Value* text = marks.Find(kSegmentsMark)) {
    const auto segments = SegmentsIn(text->text);
    if (!segments) return std::string(kSegmentsMark) + " names no levels with their pods";
    Value list = Value::List();
    for (const auto& [level, size] : *segments) {
      Value& one = list.items.emplace_back(Value::Map());
      one.Set("topology", Value::Text(level));
      one.Set("size", Value::Number(size));
    }
    request.Set("segments", PlacedAt(*text, std::move(list)));
  }
  for (const auto& [name, label] : set->topology_labels.entries) request.Set(name, label);
  if (request.Empty()) return "";
  if (has_mode && !request.Has("unconstrained") && marks.Has(mark::kPodSetGroup)) {
    request.Set("podSetGroupName", marks.At(mark::kPodSetGroup));
  }
  // What is wrong with it is most often wrong with its slices.
  const Value* slices = layers != nullptr ? layers : marks.Find(mark::kSliceSize);
  set->topology = PlacedAt(slices != nullptr ? *slices : marks, std::move(request));
  return "";
}

void CheckTopology(const Value& pod_template, const std::string& field, std::int64_t count,
                   const Setting& setting, FieldErrors* errors) {
  const Value& marks = Marks(pod_template);
  const std::string at = field + ".annotations";
  const Report report{at, errors};
  constexpr std::array kModes = {mark::kRequiredTopology, mark::kPreferredTopology,
                                 mark::kUnconstrainedTopology};
  const auto modes = std::count_if(kModes.begin(), kModes.end(),
                                   [&marks](std::string_view mode) { return marks.Has(mode); });
  if (modes > 1) {
    report(kInvalid, "", "asks for more than one of required, preferred and unconstrained",
           "keep one of them");
  }
  for (const std::string_view mode : {mark::kRequiredTopology, mark::kPreferredTopology}) {
    const Value* level = marks.Find(mode);
    if (level != nullptr && !IsLabelName(level->text)) {
      report(kInvalid, mode, "is no name of a node label", "name a level of the topology");
    }
  }
  const Value* free = marks.Find(mark::kUnconstrainedTopology);
  if (free != nullptr && !TruthValue(free->text)) {
    report(kInvalid, mark::kUnconstrainedTopology, "must be true or false", "write \"true\"");
  }
  if (const Value* segments = marks.Find(kSegmentsMark)) {
    if (!SegmentsIn(segments->text)) {
      report(kInvalid, kSegmentsMark, "names no levels with their pods", kSegmentsCure);
    }
  }
  CheckSlices(marks, count, report);
  if (setting.GateIsOn("TASMultiLayerTopology")) CheckLayers(marks, count, report);
  CheckGroupName(marks, report);
}

void CheckPodSetGroups(const JobPodSets& sets, FieldErrors* errors) {
  std::map<std::string, std::vector<const JobPodSet*>> groups;
  for (const JobPodSet& set : sets.sets) {
    if (const Value* name = set.topology.Find("podSetGroupName")) {
      groups[name->text].push_back(&set);
    }
  }
  for (const auto& [name, members] : groups) {
    const std::string key = "[" + std::string(mark::kPodSetGroup) + "]";
    if (members.size() != 2) {
      for (const JobPodSet* set : members) {
        errors->push_back(Invalid(AnnotationsOf(*set) + key,
                                  "must be shared by exactly two podsets",
                                  "write the same name on two of them"));
      }
      continue;
    }
    if (members[0]->count != 1 && members[1]->count != 1) {
      for (const JobPodSet* set : members) {
        errors->push_back(Invalid(AnnotationsOf(*set) + key,
                                  "needs a podset of one pod among its two",
                                  "give one of them count 1"));
      }
    }
    const auto mode = [](const JobPodSet* set, std::string_view which) {
      return Marks(set->pod_template).At(which);
    };
    if (mode(members[0], mark::kRequiredTopology) == mode(members[1], mark::kRequiredTopology) &&
        mode(members[0], mark::kPreferredTopology) == mode(members[1], mark::kPreferredTopology)) {
      continue;
    }
    for (const JobPodSet* set : members) {
      errors->push_back(Invalid(AnnotationsOf(*set),
                                "asks for another topology than the other podset of its group",
                                "write the same on both"));
    }
  }
}

}  // namespace muster::objects
