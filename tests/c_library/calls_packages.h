// Packages: policies for random calls, written to a folder of the process.
#ifndef MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_
#define MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace muster::testing {

/// Folders of two small packages, and one that is not there. Gone with the process.
class Packages {
 public:
  Packages()
      : top_(std::filesystem::temp_directory_path() /
             ("calls_fuzz_policies." + std::to_string(getpid()))),
        folders_{top_ / "big-first", top_ / "odd", top_ / "none"} {
    constexpr std::array kBodies = {
        "return {api = 1, name = 'big-first', queue_order = function(w) return w.pods end}",
        "return {api = 1, name = 'odd', queue_order = function(w) return w.none.more end}"};
    for (std::size_t i = 0; i < kBodies.size(); ++i) {
      std::filesystem::create_directories(folders_[i]);
      std::ofstream(std::filesystem::path(folders_[i]) / "policy.lua") << kBodies[i];
    }
  }
  ~Packages() {
    std::error_code ignored;
    std::filesystem::remove_all(top_, ignored);
  }
  Packages(const Packages&) = delete;
  Packages& operator=(const Packages&) = delete;

  static const std::array<std::string, 3>& Folders() {
    static const Packages packages;
    return packages.folders_;
  }

 private:
  std::filesystem::path top_;
  std::array<std::string, 3> folders_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_
