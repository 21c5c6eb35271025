// JSON as every verb prints it.
#ifndef MUSTER_BINDINGS_CLI_JSON_H_
#define MUSTER_BINDINGS_CLI_JSON_H_

#include <ostream>
#include <string>
#include <string_view>

#include "bindings/lab/json.h"

namespace muster::cli {

using lab::Json;
using lab::JsonText;

/// One value and a newline.
inline void PrintJson(std::ostream& out, const Json& json) { out << JsonText(json) << '\n'; }

/// One object whose first member is a list that is printed element by element. Together it reads as
/// PrintJson of the whole would.
class JsonListStream {
 public:
  /// Prints nothing yet. `out` must outlive the stream.
  JsonListStream(std::ostream& out, std::string_view name) : out_(out), name_(name) {}

  /// One more element of the list, which must not be closed.
  void Add(const Json& element);
  /// Ends the list.
  void Close();
  /// A member beside the list, which is closed.
  void AddMember(std::string_view name, const Json& value);
  /// Ends the object, and the list where it is still open.
  void End();

 private:
  void Open();

  std::ostream& out_;
  const std::string name_;
  bool open_ = false;
  bool empty_ = true;
  bool closed_ = false;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_JSON_H_
