// Lines of Prometheus' text format.
#ifndef MUSTER_BINDINGS_METRICS_TEXT_H_
#define MUSTER_BINDINGS_METRICS_TEXT_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/metrics/histogram.h"

namespace muster::metrics {

using LabelPair = std::pair<std::string_view, std::string_view>;

/// `name="value",...`, values escaped.
std::string Labels(std::initializer_list<LabelPair> labels);

class Text {
 public:
  /// Begins a family; every line of it has to follow. `type` is counter, gauge or histogram.
  void Family(std::string_view name, std::string_view type, std::string_view help);
  /// A line of the family; `labels` as Labels makes them, or empty.
  void Add(std::string_view labels, double value);
  void Add(std::string_view labels, std::int64_t value);
  void Add(std::string_view labels, const Histogram& histogram);

  std::string Take() && { return std::move(text_); }

 private:
  void Line(std::string_view suffix, std::string_view labels, std::string_view more,
            std::string_view value);

  std::string text_;
  std::string name_;
};

}  // namespace muster::metrics

#endif  // MUSTER_BINDINGS_METRICS_TEXT_H_
