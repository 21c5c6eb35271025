// See caught.h.
#include "engine/base/caught.h"

#include <exception>
#include <new>
#include <string>

#include "engine/base/check.h"

namespace muster {
namespace {

Status Told() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return Status::OutOfMemory();
  } catch (const InvariantBroken& broken) {
    return Status(StatusCode::kInternal, broken.what());
  } catch (const std::exception& other) {
    return Status(StatusCode::kInternal, std::string("an exception: ") + other.what());
  } catch (...) {
    return Status(StatusCode::kInternal, "an exception of an unknown kind");
  }
}

}  // namespace

Status Caught() noexcept {
  try {
    return Told();
  } catch (...) {
    return Status::OutOfMemory();  // there was none to say it with
  }
}

}  // namespace muster
