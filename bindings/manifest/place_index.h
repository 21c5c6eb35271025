// Where the fields of parsed objects stand: the kept trees, and the way from a field's path to a
// node.
#ifndef MUSTER_BINDINGS_MANIFEST_PLACE_INDEX_H_
#define MUSTER_BINDINGS_MANIFEST_PLACE_INDEX_H_

#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"
#include "bindings/manifest/yaml_node.h"

namespace muster::manifest {

/// How the document spells what the engine's paths name in v1beta2.
enum class Spelling { kSame, kV1beta1, kJob };

/// Place of the node at `path` below `root`, or of its nearest existing parent. Scalars stand at
/// their own place, lists and mappings at their key; `found`, when given, is that node.
/// O(length of the path x fields on the way).
Position FindPlace(const YamlNode& root, std::string_view path, const YamlNode** found = nullptr);

/// `path` as a document of that spelling has it.
std::string TranslatePath(std::string_view path, Spelling spelling);

struct Manifests::Index {
  struct Entry {
    const YamlNode* root = nullptr;
    std::string file;
    Spelling spelling = Spelling::kSame;
  };
  YamlArena arena;              ///< owns every node
  std::vector<Entry> entries;   ///< one per object
  std::vector<Entry> left_out;  ///< one per object that is left out
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_PLACE_INDEX_H_
