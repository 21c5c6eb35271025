// See certificate.h.
#include "bindings/cli/show/certificate.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "bindings/lab/words.h"

namespace muster::cli {
namespace {

/// "the 5 candidates"; "all candidates" where not all were counted.
std::string Candidates(const SearchCertificate& certificate) {
  if (certificate.more_candidates) return "all candidates";
  if (certificate.candidates == 1) return "the only candidate";
  return "all " + std::to_string(certificate.candidates) + " candidates";
}

std::string KeysInWords(const std::vector<Key>& keys) {
  constexpr std::size_t kNamed = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(keys.size(), kNamed); ++i) {
    text += (i == 0 ? "" : ", ") + keys[i].ToString();
  }
  if (keys.size() > kNamed) text += " and " + std::to_string(keys.size() - kNamed) + " more";
  return text;
}

/// "2 nvidia.com/gpu of flavor a100 are missing in the nominalQuota of ClusterQueue team-a", by
/// `verb`; empty: as it is now.
std::string BindingInWords(const BindingQuota& binding, std::string_view verb) {
  const std::string missing = FormatAmount(binding.resource, binding.missing);
  const bool limit = binding.field == QuotaField::kBorrowingLimit;
  const bool cohort = binding.kind == ObjectKind::kCohort;
  if (verb.empty()) verb = missing == "1" ? " is" : " are";
  return missing + " " + binding.resource + " of flavor " + binding.flavor + std::string(verb) +
         " missing in " +
         (limit    ? "the borrowingLimit of "
          : cohort ? "all quota of "
                   : "the nominalQuota of ") +
         std::string(KindName(binding.kind)) + " " + binding.name;
}

std::string RuleInWords(const SparedBy& spared) {
  switch (spared.rule) {
    case SparingRule::kBorrowWithinCohort:
      return "of other queues it takes none, or none so important, where it would borrow "
             "(borrowWithinCohort)";
    case SparingRule::kOwnQuota:
      return "other queues and cohorts keep what is within their quota";
    case SparingRule::kFairSharing:
      return "fair sharing protects them";
    case SparingRule::kBudget:
      return "the budget of policy " + spared.policy + " is used up (hook victim)";
    case SparingRule::kProtection:
      return "policy " + spared.policy + " protects some (hook victim)";
    case SparingRule::kLimits:
      return "policy " + spared.policy + " forbids so many (hook preempt_limits)";
  }
  return "";
}

std::string SparedInWords(const SearchCertificate& certificate) {
  std::string text;
  for (const SparedBy& spared : certificate.spared_by) {
    text += (text.empty() ? "" : "; and ") + RuleInWords(spared);
  }
  return text;
}

std::string BoundInWords(const SearchCertificate& certificate) {
  const std::string fewest = std::to_string(certificate.fewest);
  const std::string taken = std::to_string(certificate.taken);
  if (certificate.smaller.empty() && certificate.fewest == 1) {
    return "Not proven smallest: it takes " + taken + ", and that fewer would do is not ruled out.";
  }
  if (certificate.smaller.empty()) {
    return "Not proven smallest: it takes " + taken + ", and has to take " + fewest + " at least.";
  }
  return "Not the smallest: " + fewest + " would make room, and no fewer (" +
         KeysInWords(certificate.smaller) + "); by its rules and their order it takes " + taken +
         ".";
}

}  // namespace

std::string CertificateInWords(const SearchCertificate& certificate) {
  switch (certificate.proof) {
    case SearchProof::kNone:
      return "";
    case SearchProof::kMinimal:
      return certificate.taken == 1
                 ? "Proven smallest: without an eviction there is no room."
                 : "Proven smallest: fewer than " + std::to_string(certificate.taken) +
                       " candidates do not make room.";
    case SearchProof::kBound:
      return BoundInWords(certificate);
    case SearchProof::kImpossible:
      if (certificate.candidates == 0 && !certificate.more_candidates) {
        return "Proven impossible: there is no candidate, and " +
               BindingInWords(*certificate.binding, "") + ".";
      }
      return "Proven impossible: if " + Candidates(certificate) + " left, " +
             BindingInWords(*certificate.binding, " would still be") + ".";
    case SearchProof::kRefused:
      return "Possible by quota, but ruled out: " + SparedInWords(certificate) + ".";
    case SearchProof::kOpen:
      return certificate.more_candidates
                 ? "Not proven impossible: there are too many candidates to tell."
                 : "Not proven impossible: if " + Candidates(certificate) +
                       " left, there would be quota enough, and more than quota decides.";
  }
  return "";
}

Json CertificateJson(const SearchCertificate& certificate) {
  Json json = {{"proof", ProofName(certificate.proof)},
               {"candidates", certificate.candidates},
               {"text", CertificateInWords(certificate)}};
  if (certificate.more_candidates) json["moreCandidates"] = true;
  if (certificate.taken > 0) {
    json["taken"] = certificate.taken;
    json["fewest"] = certificate.fewest;
  }
  for (const Key& key : certificate.smaller) json["smaller"].push_back(key.ToString());
  if (certificate.binding) {
    const BindingQuota& binding = *certificate.binding;
    json["binding"] = {
        {"kind", KindName(binding.kind)},
        {"name", binding.name},
        {"field", binding.field == QuotaField::kBorrowingLimit ? "borrowingLimit" : "nominalQuota"},
        {"flavor", binding.flavor},
        {"resource", binding.resource},
        {"missing", FormatAmount(binding.resource, binding.missing)}};
  }
  for (const SparedBy& spared : certificate.spared_by) {
    Json rule = {{"rule", RuleName(spared.rule)}};
    if (!spared.policy.empty()) rule["policy"] = spared.policy;
    json["sparedBy"].push_back(std::move(rule));
  }
  return json;
}

}  // namespace muster::cli
