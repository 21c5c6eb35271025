// See package_folder.h.
#include "bindings/cli/world/package_folder.h"

#include "bindings/cli/world/report.h"
#include "bindings/luajit/policy_package.h"

namespace muster::cli {

int FailPackage(const Status& status, Io& io) {
  const bool is_missing = status.code() == StatusCode::kNotFound;
  return io.Fail(is_missing ? kWrongUse : ExitCodeFor(status), status.message());
}

int NeedPackages(const std::vector<std::string>& folders, Io& io) {
  for (const std::string& folder : folders) {
    const Status status = luajit::ReadPackage(folder).status();
    if (status.code() == StatusCode::kNotFound) return FailPackage(status, io);
  }
  return kDone;
}

}  // namespace muster::cli
