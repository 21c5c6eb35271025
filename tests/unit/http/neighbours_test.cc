// Where calls about jobs that are not here go on.
#include "bindings/http/neighbours.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace muster::http {
namespace {

/// Namespaces in which each ledger has LocalQueues.
using Ledgers = std::map<std::string, std::set<std::string>>;

Neighbours NeighboursOf(const Ledgers& all, const std::string& ledger) {
  Neighbours neighbours;
  neighbours.ledger = ledger;
  neighbours.in_namespace = [all, ledger](const std::string& ns) {
    std::vector<Neighbour> others;
    for (const auto& [name, namespaces] : all) {
      if (name != ledger && namespaces.contains(ns)) others.push_back({name, "http://" + name});
    }
    return others;
  };
  return neighbours;
}

/// The ledgers that a call comes to, none of which has the job.
std::vector<std::string> ComesTo(const Ledgers& all, std::string ledger,
                                 const std::set<std::string>& namespaces, std::string target) {
  std::vector<std::string> asked = {ledger};
  while (asked.size() < 20) {
    const auto elsewhere = NeighboursOf(all, ledger).SendOnByName(namespaces, target);
    if (!elsewhere) return asked;
    EXPECT_EQ(elsewhere->status, 307);
    const std::string location = elsewhere->fields.back().second;
    const std::size_t path = location.find('/', std::string("http://").size());
    ledger = location.substr(7, path - 7);
    target = location.substr(path);
    EXPECT_TRUE(target.starts_with("/v1/workloads/ns/job")) << target;
    asked.push_back(ledger);
  }
  return asked;
}

using Names = std::vector<std::string>;

TEST(Neighbours, ACallComesToEachLedgerOnceAndEnds) {
  const Ledgers all = {{"a", {"ns"}}, {"b", {"ns", "other"}}, {"c", {"other"}}, {"d", {"ns"}}};
  const std::string target = "/v1/workloads/ns/job?output=table";
  EXPECT_EQ(ComesTo(all, "a", {"ns"}, target), (Names{"a", "b", "d"}));
  EXPECT_EQ(ComesTo(all, "d", {"ns"}, target), (Names{"d", "a", "b"}));
  EXPECT_EQ(ComesTo(all, "c", {"ns"}, target), (Names{"c", "a", "b", "d"}));
  EXPECT_EQ(ComesTo(all, "", {"ns"}, target), (Names{"", "a", "b", "d"})) << "a front";
  EXPECT_EQ(ComesTo(all, "a", {"nowhere"}, target), (Names{"a"}));
}

TEST(Neighbours, ACallAboutSeveralNamespacesGoesWhereAllOfThemAre) {
  const Ledgers all = {{"a", {"ns"}}, {"b", {"ns", "other"}}, {"c", {"other"}}, {"d", {}}};
  EXPECT_EQ(ComesTo(all, "d", {"ns", "other"}, "/v1/workloads/ns/job"), (Names{"d", "b"}));
  EXPECT_EQ(ComesTo(all, "d", {}, "/v1/workloads/ns/job"), (Names{"d"}));
}

TEST(Neighbours, NamesThatNoLedgerHasAreNotSentOn) {
  const Ledgers all = {{"a", {"ns"}}, {"b", {"ns"}}};
  const auto elsewhere = NeighboursOf(all, "a").SendOnByName(
      {"ns"}, "/v1/workloads/ns/job?tried=x%26output%3Djson,y%2Fz,old&output=table");
  ASSERT_TRUE(elsewhere.has_value());
  EXPECT_EQ(elsewhere->fields.back().second,
            "http://b/v1/workloads/ns/job?output=table&tried=a,old");
}

TEST(Neighbours, OnlyCommandsAboutJobsAloneAreSentOn) {
  const Key job{"ns", "job"};
  EXPECT_EQ(NamespacesOf({command::Cancel{{job, {"other", "job"}}}, command::Evict{job, "Moved"}}),
            (std::set<std::string>{"ns", "other"}));
  EXPECT_EQ(NamespacesOf({command::Delete{ObjectKind::kWorkload, job}}),
            (std::set<std::string>{"ns"}));
  EXPECT_TRUE(NamespacesOf({command::Cancel{{job}}, command::Cycle{}}).empty());
  EXPECT_TRUE(NamespacesOf({command::Delete{ObjectKind::kLocalQueue, job}}).empty());
}

}  // namespace
}  // namespace muster::http
