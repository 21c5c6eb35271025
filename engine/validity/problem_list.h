// ProblemList: collects the mistakes of one object.
#ifndef MUSTER_ENGINE_VALIDITY_PROBLEM_LIST_H_
#define MUSTER_ENGINE_VALIDITY_PROBLEM_LIST_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/validity/field_path.h"
#include "engine/validity/validate.h"
#include "muster/status.h"

namespace muster {

class ProblemList {
 public:
  ProblemList(std::size_t object, Strictness strictness, std::vector<Problem>& out)
      : object_(object), strictness_(strictness), out_(out) {}

  void Add(const FieldPath& field, std::string what, std::string cure) {
    out_.push_back({object_, field.ToString(), std::move(what), std::move(cure)});
  }
  void Add(std::string field, std::string what, std::string cure) {
    out_.push_back({object_, std::move(field), std::move(what), std::move(cure)});
  }
  /// A mistake that has a plain meaning all the same; lenient callers do not hear of it.
  void AddTolerable(const FieldPath& field, std::string what, std::string cure) {
    if (strictness_ == Strictness::kStrict) Add(field, std::move(what), std::move(cure));
  }
  void AddTolerable(std::string field, std::string what, std::string cure) {
    if (strictness_ == Strictness::kStrict) {
      Add(std::move(field), std::move(what), std::move(cure));
    }
  }

 private:
  std::size_t object_;
  Strictness strictness_;
  std::vector<Problem>& out_;
};

}  // namespace muster

#endif  // MUSTER_ENGINE_VALIDITY_PROBLEM_LIST_H_
