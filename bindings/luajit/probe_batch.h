// Made-up items whose fields are at the values that a policy compares them with, so that they reach
// its branches.
#ifndef MUSTER_BINDINGS_LUAJIT_PROBE_BATCH_H_
#define MUSTER_BINDINGS_LUAJIT_PROBE_BATCH_H_

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/luajit/made_up_batch.h"
#include "bindings/luajit/package_table.h"
#include "bindings/luajit/probe_values.h"

namespace muster::luajit {

/// One round of them: another round draws others, and has another time, queue and subject. The same
/// for the same arguments.
class ProbeBatch : public MadeUpBatch {
 public:
  ProbeBatch(Hook hook, std::size_t items, const ProbeValues& values, const PackageTable& table,
             std::uint64_t round);

 private:
  std::uint64_t Draw(std::uint64_t below);
  bool DrawNumber(std::string_view path, double least, bool whole, double* number);
  unsigned int DrawText(std::string_view path, std::initializer_list<std::string_view> usual);
  unsigned int Intern(std::string_view text);
  void MakeResources();
  unsigned int Turn(std::size_t choices);
  void Amounts(std::string_view member, double* amounts);
  void Labels(unsigned int* labels);
  void Accounts(double* accounts);
  void Change(muster_workload& workload);
  void Change(muster_holding& holding);
  void Change(muster_node& node);
  void Change(muster_flavor& flavor);
  void Change(muster_domain& domain);

  const ProbeValues& values_;
  const PackageTable& table_;
  std::uint64_t round_;
  std::uint64_t state_;
  std::size_t turns_ = 0;
  double later_ = 0;  ///< seconds from the time of the made-up batch to that of this one
  std::deque<std::string> texts_;
  std::vector<muster_string> strings_;
  std::vector<unsigned int> resources_;
  std::vector<std::string> resource_names_;
};

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_PROBE_BATCH_H_
