// Ways: how fields look whose type alone does not say it. See form.h.
#ifndef MUSTER_BINDINGS_MANIFEST_WAYS_H_
#define MUSTER_BINDINGS_MANIFEST_WAYS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/manifest/encode.h"
#include "bindings/manifest/fields.h"
#include "bindings/manifest/weight.h"

namespace muster::manifest {

/// A text as a parameter of a template.
template <std::size_t N>
struct Letters {
  consteval Letters(const char (&text)[N]) { std::copy_n(text, N, letters); }
  constexpr std::string_view view() const { return {letters, N - 1}; }
  char letters[N];
};

/// Texts as a list of mappings with one field each.
template <Letters kName, Letters kExample>
struct Named {
  template <typename List>
  static bool Read(const Value& value, List* out) {
    if (!value.ExpectList()) return false;
    std::vector<std::string> names;
    for (const YamlNode* item : value.node().items()) {
      Fields fields(value.Item(*item));
      fields.Require(kName.view(), &names.emplace_back(), kExample.view());
    }
    *out = std::move(names);
    return true;
  }
  static Encoded Write(YamlArena& arena, const auto& names) {
    YamlNode* list = arena.New(NodeKind::kList);
    for (const std::string& name : names) {
      MapWriter item(arena);
      item.Put(kName.view(), name);
      arena.Append(list, item.node());
    }
    return list;
  }
};

/// A time of which the part of a second counts for nothing.
struct WholeSecond {
  static bool Read(const Value& value, TimeNs* out) {
    const bool ok = ReadTime(value, out);
    if (ok) *out = CutToSecond(*out);
    return ok;
  }
};

/// Only some of the words.
template <auto... kAllowed>
struct OneOf {
  static bool Read(const Value& value, auto* out) {
    return ReadOneOf(value, std::array{kAllowed...}, out);
  }
};

/// A truth value as one of some words: that of index kTrue, or another.
template <std::size_t kTrue, Letters... kWords>
struct Word {
  static bool Read(const Value& value, bool* out) {
    constexpr std::array words = {kWords.view()...};
    const auto word = ReadWord(value, words);
    *out = word == kTrue;
    return word.has_value();
  }
};

/// fairSharing: {weight}, a quantity as a double. It may be written out for the default weight.
struct FairWeight {
  template <typename Queue>
  requires std::is_class_v<Queue>
  static bool Read(const Value& value, Queue* queue) {
    Fields fields(value);
    Quantity quantity;
    if (fields.Get("weight", &quantity)) queue->fair_weight = WeightOf(quantity);
    if constexpr (requires { queue->fair_sharing; }) {
      queue->fair_sharing = queue->fair_weight == 1.0 ? Presence::kWritten : Presence::kAbsent;
    }
    return true;
  }
  template <typename Queue>
  requires std::is_class_v<Queue>
  static Encoded Write(YamlArena& arena, const Queue& queue) {
    bool is_written = queue.fair_weight != 1.0;
    if constexpr (requires { queue.fair_sharing; }) {
      is_written = is_written || queue.fair_sharing == Presence::kWritten;
    }
    if (!is_written) return nullptr;
    MapWriter sharing(arena);
    sharing.Put("weight", QuantityOf(queue.fair_weight));
    return sharing.node();
  }
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_WAYS_H_
