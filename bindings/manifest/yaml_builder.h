// YamlBuilder: the events of yaml-cpp become nodes of ours, one document at a time.
#ifndef MUSTER_BINDINGS_MANIFEST_YAML_BUILDER_H_
#define MUSTER_BINDINGS_MANIFEST_YAML_BUILDER_H_

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/mark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "bindings/manifest/reporter.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// A mistake that ends the document; thrown through yaml-cpp and caught by ParseYaml.
struct DocumentMistake {
  Position at;
  std::string what;
  std::string cure;
};

class YamlBuilder : public YAML::EventHandler {
 public:
  using ToPosition = std::function<Position(const YAML::Mark&)>;

  YamlBuilder(YamlArena& arena, Reporter& reporter, ToPosition to_position)
      : arena_(arena), reporter_(reporter), to_position_(std::move(to_position)) {}

  /// Root of the document just read, null when it is empty; and forgets it.
  const YamlNode* TakeRoot();
  /// The list or mapping that is open when a syntax mistake ends the document, null for none.
  const YamlNode* Innermost() const { return open_.empty() ? nullptr : open_.back().node; }
  /// Where yaml-cpp saw the last quoted scalar begin; pos is -1 when the last scalar was plain.
  const YAML::Mark& last_quoted() const { return last_quoted_; }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override;

 private:
  struct Open {
    YamlNode* node = nullptr;
    const YamlNode* key = nullptr;  ///< of a map: the key whose value comes next
    YAML::anchor_t anchor = 0;
    std::size_t nodes_before = 0;  ///< expanded_ when it was opened
  };
  struct Anchored {
    const YamlNode* node = nullptr;  ///< null while it is still open
    std::size_t nodes = 0;           ///< in it, aliases expanded
  };

  void Begin(YamlNode* node, const std::string& tag, YAML::anchor_t anchor);
  void Close();
  void Attach(const YamlNode* node);
  void SetAnchor(YAML::anchor_t anchor, Anchored anchored);
  void CheckKey(const YamlNode& key) const;
  void ReportRepeatedKeys(YamlNode& map);
  void MergeInto(YamlNode& map);

  YamlArena& arena_;
  Reporter& reporter_;
  ToPosition to_position_;
  const YamlNode* root_ = nullptr;
  std::vector<Open> open_;
  std::vector<Anchored> anchors_;
  std::size_t expanded_ = 0;  ///< nodes of the document, aliases expanded
  std::size_t aliased_ = 0;   ///< of these, nodes that aliases repeat
  int document_begin_ = -1;   ///< byte at which the last document began
  YAML::Mark last_quoted_;
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_YAML_BUILDER_H_
