// What is proven of a search for victims, in one line each.
#include "bindings/cli/show/certificate.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace muster::cli {
namespace {

BindingQuota Binding(ObjectKind kind, QuotaField field) {
  return {kind, "x", field, "a100", "nvidia.com/gpu", 2};
}

SearchCertificate Certificate(SearchProof proof, std::int64_t candidates, std::int64_t taken = 0,
                              std::int64_t fewest = 0) {
  SearchCertificate certificate;
  certificate.proof = proof;
  certificate.candidates = candidates;
  certificate.taken = taken;
  certificate.fewest = fewest;
  return certificate;
}

TEST(CertificateInWords, WithoutASearchThereIsNone) { EXPECT_EQ(CertificateInWords({}), ""); }

TEST(CertificateInWords, SaysThatVictimsAreTheFewest) {
  SearchCertificate certificate = Certificate(SearchProof::kMinimal, 5, 2, 2);
  EXPECT_EQ(CertificateInWords(certificate),
            "Proven smallest: fewer than 2 candidates do not make room.");
  certificate.taken = certificate.fewest = 1;
  EXPECT_EQ(CertificateInWords(certificate),
            "Proven smallest: without an eviction there is no room.");
  EXPECT_EQ(CertificateJson(certificate).dump(),
            R"({"proof":"Minimal","candidates":5,)"
            R"("text":"Proven smallest: without an eviction there is no room.",)"
            R"("taken":1,"fewest":1})");
}

TEST(CertificateInWords, NamesASmallerSetOrTheBound) {
  SearchCertificate certificate = Certificate(SearchProof::kBound, 5, 3, 1);
  EXPECT_EQ(CertificateInWords(certificate),
            "Not proven smallest: it takes 3, and that fewer would do is not ruled out.");
  certificate.fewest = 2;
  EXPECT_EQ(CertificateInWords(certificate),
            "Not proven smallest: it takes 3, and has to take 2 at least.");
  certificate.smaller = {{"t", "a"}, {"t", "b"}};
  EXPECT_EQ(CertificateInWords(certificate),
            "Not the smallest: 2 would make room, and no fewer (t/a, t/b); by its rules and their "
            "order it takes 3.");
  EXPECT_EQ(CertificateJson(certificate)["smaller"].dump(), R"(["t/a","t/b"])");
}

TEST(CertificateInWords, NamesWhatStaysShort) {
  SearchCertificate certificate = Certificate(SearchProof::kImpossible, 0);
  certificate.binding = Binding(ObjectKind::kClusterQueue, QuotaField::kBorrowingLimit);
  EXPECT_EQ(CertificateInWords(certificate),
            "Proven impossible: there is no candidate, and 2 nvidia.com/gpu of flavor a100 are "
            "missing in the borrowingLimit of ClusterQueue x.");
  certificate.candidates = 4;
  certificate.binding = Binding(ObjectKind::kCohort, QuotaField::kNominalQuota);
  EXPECT_EQ(CertificateInWords(certificate),
            "Proven impossible: if all 4 candidates left, 2 nvidia.com/gpu of flavor a100 would "
            "still be missing in all quota of Cohort x.");
  EXPECT_EQ(CertificateJson(certificate)["binding"].dump(),
            R"({"kind":"Cohort","name":"x","field":"nominalQuota","flavor":"a100",)"
            R"("resource":"nvidia.com/gpu","missing":"2"})");
}

TEST(CertificateInWords, NamesEachRuleThatSparesSome) {
  SearchCertificate certificate = Certificate(SearchProof::kRefused, 4);
  certificate.spared_by = {{SparingRule::kOwnQuota, ""}, {SparingRule::kBudget, "part"}};
  EXPECT_EQ(CertificateInWords(certificate),
            "Possible by quota, but ruled out: other queues and cohorts keep what is within their "
            "quota; and the budget of policy part is used up (hook victim).");
  EXPECT_EQ(CertificateJson(certificate)["sparedBy"].dump(),
            R"([{"rule":"OwnQuota"},{"rule":"Budget","policy":"part"}])");
}

TEST(CertificateInWords, SaysWhatIsNotProven) {
  SearchCertificate certificate = Certificate(SearchProof::kOpen, 1);
  EXPECT_EQ(CertificateInWords(certificate),
            "Not proven impossible: if the only candidate left, there would be quota enough, and "
            "more than quota decides.");
  certificate.more_candidates = true;
  EXPECT_EQ(CertificateInWords(certificate),
            "Not proven impossible: there are too many candidates to tell.");
}

}  // namespace
}  // namespace muster::cli
