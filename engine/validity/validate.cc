// ValidateObject: the check of the object's kind.
#include "engine/validity/validate.h"

#include <variant>

#include "engine/validity/validate_kinds.h"

namespace muster {

void ValidateObject(const Object& object, std::size_t index, std::vector<Problem>& out,
                    Strictness strictness) {
  ProblemList problems(index, strictness, out);
  std::visit([&](const auto& spec) { Check(spec, problems); }, object);
}

void ValidateWorkload(const Workload& workload, std::size_t index, KnownValid known,
                      std::vector<Problem>& out, Strictness strictness) {
  ProblemList problems(index, strictness, out);
  Check(workload, problems, known);
}

}  // namespace muster
