#include "bindings/manifest/usual_yaml.h"

#include <yaml.h>

#include <algorithm>
#include <string>

namespace muster::manifest {
namespace {

/// Where the two libraries count alike, and know the same breaks of lines.
bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; });
}

/// Whether a `?` may say that a key begins, which the libraries take for one in different places.
bool MayMarkKeys(std::string_view text) {
  for (std::size_t i = text.find('?'); i != std::string_view::npos; i = text.find('?', i + 1)) {
    if (i == 0 || std::string_view(" \n,:-[{").find(text[i - 1]) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Of a text in double quotes as it was written: the libraries do not know the same escapes.
bool HasOtherEscapes(std::string_view text) {
  for (std::size_t i = text.find('\\'); i != std::string_view::npos; i = text.find('\\', i + 2)) {
    if (i + 1 == text.size() ||
        std::string_view("\\\"nt").find(text[i + 1]) == std::string_view::npos) {
      return true;
    }
  }
  return false;
}

/// Whether a plain text is one for both where brackets are open around it.
bool IsPlainInBrackets(std::string_view text) {
  return text.find_first_of("?:[]{}#&*!|>'\"%`\\") == std::string_view::npos;
}

YAML::Mark MarkOf(const yaml_mark_t& mark) {
  YAML::Mark out;
  out.pos = static_cast<int>(mark.index);
  out.line = static_cast<int>(mark.line);
  out.column = static_cast<int>(mark.column);
  return out;
}

class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }

  bool Read(yaml_parser_t* parser) {
    yaml_event_delete(&event_);
    return yaml_parser_parse(parser, &event_) != 0;
  }
  const yaml_event_t& operator*() const { return event_; }
  const yaml_event_t* operator->() const { return &event_; }

 private:
  yaml_event_t event_ = {};
};

class Reading {
 public:
  Reading(std::string_view text, YamlBuilder& builder) : text_(text), builder_(builder) {
    is_ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!is_ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() {
    if (is_ready_) yaml_parser_delete(&parser_);
  }

  bool Read() {
    if (!is_ready_) return false;
    for (Event event; event.Read(&parser_);) {
      if (event->type == YAML_STREAM_END_EVENT) return true;
      if (!Give(*event)) return false;
    }
    return false;
  }

 private:
  bool Give(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_STREAM_START_EVENT:
        return true;
      case YAML_DOCUMENT_START_EVENT:
        return GiveStart(event);
      case YAML_DOCUMENT_END_EVENT:
        builder_.OnDocumentEnd();
        return true;
      case YAML_SCALAR_EVENT:
        return GiveScalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return GiveList(event);
      case YAML_SEQUENCE_END_EVENT:
        LeaveCollection();
        builder_.OnSequenceEnd();
        return true;
      case YAML_MAPPING_START_EVENT:
        return GiveMap(event);
      case YAML_MAPPING_END_EVENT:
        LeaveCollection();
        builder_.OnMapEnd();
        return true;
      default:
        return false;
    }
  }

  bool GiveStart(const yaml_event_t& event) {
    const auto& start = event.data.document_start;
    if (has_begun_ || start.version_directive != nullptr ||
        start.tag_directives.start != start.tag_directives.end) {
      return false;
    }
    has_begun_ = true;
    builder_.OnDocumentStart(MarkOf(event.start_mark));
    return true;
  }
  bool GiveScalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    const bool has_lines = event.start_mark.line != event.end_mark.line;
    const bool is_literal = scalar.style == YAML_LITERAL_SCALAR_STYLE;
    if (scalar.anchor != nullptr || scalar.tag != nullptr ||
        scalar.style == YAML_FOLDED_SCALAR_STYLE || has_lines != is_literal ||
        (is_literal && (scalar.length == 0 || BeginsLine(event.start_mark)))) {
      return false;
    }
    value_.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    const std::string_view written =
        text_.substr(event.start_mark.index, event.end_mark.index - event.start_mark.index);
    if (scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && HasOtherEscapes(written)) return false;
    const YAML::Mark mark = MarkOf(event.start_mark);
    if (scalar.style != YAML_PLAIN_SCALAR_STYLE) {
      builder_.OnScalar(mark, "!", 0, value_);
    } else if (value_.empty() || (in_brackets_ > 0 && !IsPlainInBrackets(value_))) {
      return false;
    } else if (value_ == "~" || value_ == "null" || value_ == "Null" || value_ == "NULL") {
      builder_.OnNull(mark, 0);
    } else {
      builder_.OnScalar(mark, "?", 0, value_);
    }
    return true;
  }
  bool GiveList(const yaml_event_t& event) {
    const auto& list = event.data.sequence_start;
    if (list.anchor != nullptr || list.tag != nullptr) return false;
    EnterCollection(list.style == YAML_FLOW_SEQUENCE_STYLE);
    builder_.OnSequenceStart(MarkOf(event.start_mark), "?", 0, YAML::EmitterStyle::Default);
    return true;
  }
  bool GiveMap(const yaml_event_t& event) {
    const auto& map = event.data.mapping_start;
    if (map.anchor != nullptr || map.tag != nullptr) return false;
    EnterCollection(map.style == YAML_FLOW_MAPPING_STYLE);
    builder_.OnMapStart(MarkOf(event.start_mark), "?", 0, YAML::EmitterStyle::Default);
    return true;
  }

  /// Whether nothing but spaces stands before it.
  bool BeginsLine(const yaml_mark_t& mark) const {
    const std::string_view before = text_.substr(mark.index - mark.column, mark.column);
    return before.find_first_not_of(' ') == std::string_view::npos;
  }
  void EnterCollection(bool has_brackets) {
    if (has_brackets || in_brackets_ > 0) ++in_brackets_;
  }
  void LeaveCollection() {
    if (in_brackets_ > 0) --in_brackets_;
  }

  std::string_view text_;
  YamlBuilder& builder_;
  yaml_parser_t parser_ = {};
  bool is_ready_ = false;
  bool has_begun_ = false;
  int in_brackets_ = 0;  ///< collections that are open, from the first with brackets on
  std::string value_;    ///< of a scalar, in the memory of those before
};

}  // namespace

bool ReadUsualYaml(std::string_view text, YamlBuilder& builder) {
  return IsPrintable(text) && !MayMarkKeys(text) && Reading(text, builder).Read();
}

}  // namespace muster::manifest
