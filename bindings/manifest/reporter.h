// Reporter: collects the mistakes of one Parse call and knows whose text is being read.
#ifndef MUSTER_BINDINGS_MANIFEST_REPORTER_H_
#define MUSTER_BINDINGS_MANIFEST_REPORTER_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// "file:line:column", without what is unknown.
std::string PlaceText(const Place& place);

class Reporter {
 public:
  /// What follows is about the source `index` of the call, shown as `name`.
  void BeginSource(std::size_t index, std::string name) {
    source_ = index;
    name_ = std::move(name);
  }

  void Error(Position at, std::string what, std::string cure) {
    ++errors_;
    Add({source_, {Severity::kError, PlaceAt(at), std::move(what), std::move(cure)}});
  }
  /// One that is none where an engine has one of these workloads.
  void ErrorUnless(Position at, std::string what, std::string cure, std::vector<Key> unless) {
    ++errors_;
    ++conditional_;
    Add({source_,
         {Severity::kError, PlaceAt(at), std::move(what), std::move(cure), std::move(unless)}});
  }
  void Warning(Position at, std::string what, std::string cure) {
    Add({source_, {Severity::kWarning, PlaceAt(at), std::move(what), std::move(cure)}});
  }

  Place PlaceAt(Position at) const { return {name_, at.line, at.column}; }
  std::size_t source() const { return source_; }
  /// Errors so far, also those beyond kMaxDiagnostics.
  std::size_t errors() const { return errors_; }
  /// Those among them that hold whatever an engine has.
  std::size_t certain_errors() const { return errors_ - conditional_; }

  /// Another that begins where this one stands, for a part that is read beside others.
  Reporter ForPart() const {
    Reporter part;
    part.BeginSource(source_, name_);
    return part;
  }
  /// Adds what was reported of a part, as if it had been reported here.
  void Add(Reporter part);

  /// The diagnostics by source, line and column; last what counts the warnings and the errors that
  /// were left out, of each kind all beyond kMaxDiagnostics. Warnings never hide an error.
  std::vector<Diagnostic> Take();

 private:
  struct Entry {
    std::size_t source = 0;
    Diagnostic diagnostic;
  };
  void Add(Entry entry);

  std::size_t source_ = 0;
  std::string name_;
  std::size_t errors_ = 0;
  std::size_t conditional_ = 0;  ///< of them
  struct Count {
    std::size_t kept = 0;
    std::size_t left_out = 0;
  };
  std::array<Count, 2> counts_;  ///< by severity
  std::vector<Entry> entries_;
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_REPORTER_H_
