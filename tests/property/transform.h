// The same world said differently: in another order, under other names, in another unit, with a
// queue more that is not used. A law says what such a change does to the outcome.
#ifndef MUSTER_TESTS_PROPERTY_TRANSFORM_H_
#define MUSTER_TESTS_PROPERTY_TRANSFORM_H_

#include <map>
#include <string>

#include "tests/oracle/world.h"
#include "tests/property/random_world.h"

namespace muster::testing {

World ShuffleObjects(Choices& choices, World world);

/// New names of flavors, cohorts, queues and workloads, in the order of the old ones.
class Renaming {
 public:
  Renaming(Choices& choices, const World& world);
  World Apply(World world) const;
  oracle::Outcome Apply(const oracle::Outcome& outcome) const;

 private:
  void Rename(std::string& name) const;
  void Rename(Text& name) const;
  void Rename(std::vector<ResourceGroup>& groups) const;
  void Rename(Admission& admission) const;
  std::map<std::string, std::string> names_;
};

/// Every quota, limit, request and usage times `factor`.
World Scale(World world, int factor);
oracle::Outcome Scale(oracle::Outcome outcome, int factor);

/// `world` with one more queue of zero quota: alone, or in a cohort that has a queue already (as
/// first child it would raise the cohort's height).
World AddIdleQueue(Choices& choices, World world);

}  // namespace muster::testing

#endif  // MUSTER_TESTS_PROPERTY_TRANSFORM_H_
