// Packages: policies for random calls, written to a folder of the process.
#ifndef MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_
#define MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "tests/c_library/calls_texts.h"

namespace muster::testing {

/// Folders of two small packages, and one that is not there; files of a cluster and a log of jobs.
/// Gone with the process.
class Packages {
 public:
  Packages()
      : top_(std::filesystem::temp_directory_path() /
             ("calls_fuzz_policies." + std::to_string(getpid()))),
        folders_{top_ / "big-first", top_ / "odd", top_ / "none"},
        files_{top_ / "cluster.yaml", top_ / "jobs.csv"} {
    constexpr std::array kBodies = {
        "return {api = 1, name = 'big-first', queue_order = function(w) return w.pods end}",
        "return {api = 1, name = 'odd', queue_order = function(w) return w.none.more end}"};
    for (std::size_t i = 0; i < kBodies.size(); ++i) {
      std::filesystem::create_directories(folders_[i]);
      std::ofstream(std::filesystem::path(folders_[i]) / "policy.lua") << kBodies[i];
    }
    std::ofstream(files_[0]) << kQueues;
    std::ofstream(files_[1]) << "job_id,user,tenant,class,submit_time,num_chips,chip_type,"
                                "num_nodes,duration_s,walltime_limit_s,final_status\n"
                                "1,u,a,x,0,2,,1,10,10,COMPLETED\n"
                                "2,u,a,x,5,4,,1,20,20,COMPLETED\n";
  }
  ~Packages() {
    std::error_code ignored;
    std::filesystem::remove_all(top_, ignored);
  }
  Packages(const Packages&) = delete;
  Packages& operator=(const Packages&) = delete;

  static const std::array<std::string, 3>& Folders() { return Made().folders_; }
  static const std::array<std::string, 2>& Files() { return Made().files_; }

 private:
  static const Packages& Made() {
    static const Packages packages;
    return packages;
  }

  std::filesystem::path top_;
  std::array<std::string, 3> folders_;
  std::array<std::string, 2> files_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_C_LIBRARY_CALLS_PACKAGES_H_
