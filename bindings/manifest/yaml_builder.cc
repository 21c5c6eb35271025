// Nodes are attached to their parent when they begin, so that places and open brackets are known
// when the text ends early. An alias shares the node of its anchor; only its size is counted again.
#include "bindings/manifest/yaml_builder.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bindings/manifest/limits.h"
#include "bindings/manifest/quote.h"

namespace muster::manifest {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::string_view kMergeKey = "<<";
constexpr std::array<std::string_view, 7> kHarmlessTags = {"str",  "int", "float", "bool",
                                                           "null", "map", "seq"};

/// yaml-cpp says "?" for an untagged plain node and "!" for an untagged quoted one.
void CheckTag(std::string_view tag, Position at) {
  if (tag.empty() || tag == "?" || tag == "!") return;
  std::string_view name = tag;
  if (name.starts_with(kTagPrefix)) name.remove_prefix(kTagPrefix.size());
  if (std::find(kHarmlessTags.begin(), kHarmlessTags.end(), name) == kHarmlessTags.end()) {
    throw DocumentMistake{at, "the tag " + Quoted(tag) + " means nothing here", "remove the tag"};
  }
}

constexpr std::size_t kFewKeys = 16;  ///< up to which comparing all pairs is the fastest

bool RepeatsKey(const YamlNode& map) {
  for (std::size_t i = 1; i < map.entries().size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (map.entries()[i].key->text() == map.entries()[k].key->text()) return true;
    }
  }
  return false;
}

}  // namespace

const YamlNode* YamlBuilder::TakeRoot() { return std::exchange(root_, nullptr); }

void YamlBuilder::OnDocumentStart(const YAML::Mark& mark) {
  // Before a token that begins no value yaml-cpp finds empty documents without end.
  if (mark.pos == document_begin_) {
    throw DocumentMistake{to_position_(mark), "this text begins no field, list or value",
                          "remove it, or quote the text it belongs to"};
  }
  document_begin_ = mark.pos;
  root_ = nullptr;
  open_.clear();
  anchors_.clear();
  expanded_ = aliased_ = 0;
}

void YamlBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  Position at = to_position_(mark);
  // The mark of a value that is not written lies on the next token; what stands before it says
  // more.
  if (!open_.empty()) {
    const Open& parent = open_.back();
    const YamlNode* before = parent.key;
    if (parent.node->kind == NodeKind::kList) {
      before = parent.node->items().empty() ? parent.node : parent.node->items().back();
    }
    if (before != nullptr && at.line != before->at.line) at = before->at;
  }
  Begin(arena_.New(NodeKind::kNull, at), {}, anchor);
  Close();
}

void YamlBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const Position at = to_position_(mark);
  if (anchor >= anchors_.size() || anchors_[anchor].node == nullptr) {
    throw DocumentMistake{at, "this alias repeats a value that contains it",
                          "write the value out instead"};
  }
  const Anchored& target = anchors_[anchor];
  expanded_ += target.nodes;
  aliased_ += target.nodes;
  if (aliased_ > kMaxAliasNodes) {
    throw DocumentMistake{at,
                          "the aliases of this document repeat more than " +
                              std::to_string(kMaxAliasNodes) + " values",
                          "write fewer aliases of aliases"};
  }
  Attach(target.node);
}

void YamlBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  const bool quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
  YamlNode* node = arena_.NewText(value, to_position_(mark), quoted);
  last_quoted_ = tag == "?" ? YAML::Mark::null_mark() : mark;
  const PlainType type = node->quoted ? PlainType::kText : PlainTypeOf(value);
  if (type == PlainType::kNull) node->kind = NodeKind::kNull;
  if (type == PlainType::kFloat && !JsonNumber(value)) {
    reporter_.Error(node->at, Quoted(value) + " is a number that no JSON has, and no field takes",
                    "write a finite number, or " + Quoted(value) + " with quotes for a text");
  }
  Begin(node, tag, anchor);
  Close();
}

void YamlBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value) {
  Begin(arena_.New(NodeKind::kList, to_position_(mark)), tag, anchor);
}

void YamlBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  Begin(arena_.New(NodeKind::kMap, to_position_(mark)), tag, anchor);
}

void YamlBuilder::OnMapEnd() {
  YamlNode& map = *open_.back().node;
  MergeInto(map);
  ReportRepeatedKeys(map);
  Close();
}

void YamlBuilder::Begin(YamlNode* node, const std::string& tag, YAML::anchor_t anchor) {
  CheckTag(tag, node->at);
  if (open_.size() >= kMaxDepth) {
    throw DocumentMistake{node->at,
                          "this is nested more than " + std::to_string(kMaxDepth) + " levels deep",
                          "write it flatter"};
  }
  const std::size_t nodes_before = expanded_++;
  Attach(node);
  if (anchor != 0) SetAnchor(anchor, {nullptr, 0});
  open_.push_back({node, nullptr, anchor, nodes_before});
}

void YamlBuilder::Close() {
  const Open closed = open_.back();
  open_.pop_back();
  if (closed.anchor != 0) {
    SetAnchor(closed.anchor, {closed.node, expanded_ - closed.nodes_before});
  }
}

void YamlBuilder::SetAnchor(YAML::anchor_t anchor, Anchored anchored) {
  if (anchors_.size() <= anchor) anchors_.resize(anchor + 1);
  anchors_[anchor] = anchored;
}

void YamlBuilder::Attach(const YamlNode* node) {
  if (open_.empty()) {
    root_ = node;
    return;
  }
  Open& parent = open_.back();
  if (parent.node->kind == NodeKind::kList) {
    arena_.Append(parent.node, node);
  } else if (parent.key == nullptr) {
    CheckKey(*node);
    parent.key = node;
  } else {
    arena_.Append(parent.node, {std::exchange(parent.key, nullptr), node});
  }
}

void YamlBuilder::CheckKey(const YamlNode& key) const {
  if (key.kind == NodeKind::kScalar) return;
  if (key.kind == NodeKind::kNull) {
    throw DocumentMistake{key.at, "there is no name before this ':'", "write the field's name"};
  }
  throw DocumentMistake{key.at, "a list or a mapping cannot be the name of a field",
                        "quote a text that begins with a bracket, render a template first"};
}

/// YAML merge: what the mappings behind `<<` have and `map` itself does not.
void YamlBuilder::MergeInto(YamlNode& map) {
  std::vector<YamlEntry> own;
  std::vector<const YamlNode*> merged;
  for (const YamlEntry& entry : map.entries()) {
    if (entry.key->quoted || entry.key->text() != kMergeKey) {
      own.push_back(entry);
    } else if (entry.value->kind == NodeKind::kList) {
      merged.insert(merged.end(), entry.value->items().begin(), entry.value->items().end());
    } else {
      merged.push_back(entry.value);
    }
  }
  if (merged.empty()) return;
  std::unordered_set<std::string_view> names;
  for (const YamlEntry& entry : own) names.insert(entry.key->text());
  for (const YamlNode* source : merged) {
    if (source->kind != NodeKind::kMap) {
      throw DocumentMistake{source->at, "\"<<\" merges mappings only", "write an alias of one"};
    }
    for (const YamlEntry& entry : source->entries()) {
      if (names.insert(entry.key->text()).second) own.push_back(entry);
    }
  }
  arena_.SetEntries(&map, own);
}

void YamlBuilder::ReportRepeatedKeys(YamlNode& map) {
  if (map.entries().size() <= kFewKeys && !RepeatsKey(map)) return;
  std::vector<YamlEntry> unique;
  std::unordered_map<std::string_view, Position> first;
  for (const YamlEntry& entry : map.entries()) {
    const auto [seen, is_new] = first.try_emplace(entry.key->text(), entry.key->at);
    if (is_new) {
      unique.push_back(entry);
      continue;
    }
    reporter_.Error(entry.key->at,
                    Quoted(entry.key->text()) + " is written twice in one mapping, first in line " +
                        std::to_string(seen->second.line),
                    "remove one of them");
  }
  arena_.SetEntries(&map, unique);
}

}  // namespace muster::manifest
