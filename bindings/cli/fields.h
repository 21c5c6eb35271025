// Fields: "Name:   value" lines with the values under each other, as kubectl describe prints them.
#ifndef MUSTER_BINDINGS_CLI_FIELDS_H_
#define MUSTER_BINDINGS_CLI_FIELDS_H_

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::cli {

class Fields {
 public:
  /// An empty value leaves the line out.
  void Add(std::string_view name, std::string value) {
    if (!value.empty()) lines_.emplace_back(std::string(name) + ":", std::move(value));
  }

  void Print(std::ostream& out) const {
    std::size_t width = 0;
    for (const auto& [name, value] : lines_) width = std::max(width, name.size());
    for (const auto& [name, value] : lines_) {
      out << name << std::string(width - name.size() + 2, ' ') << value << '\n';
    }
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_FIELDS_H_
