// FieldPath: the spelling.
#include "engine/validity/field_path.h"

namespace muster {

std::string FieldPath::ToString() const {
  std::string text = parent_ == nullptr ? std::string() : parent_->ToString();
  if (index_ == kEntry) return text.append("[").append(name_).append("]");
  if (index_ != kNotIndexed) return text + "[" + std::to_string(index_) + "]";
  if (!text.empty()) text.push_back('.');
  return text.append(name_);
}

}  // namespace muster
