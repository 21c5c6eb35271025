// Where text was left out of which not even a name could be read, references to it would only be
// echoes, so missing references are then not reported; where its kind alone is not known, those
// to its name are not.
#include "bindings/lab/diagnose.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "bindings/lab/near_names.h"
#include "bindings/lab/read.h"

namespace muster::lab {
namespace {

using manifest::Diagnostic;
using manifest::Severity;

bool Same(const Problem& a, const Problem& b) {
  return a.object == b.object && a.field == b.field && a.what == b.what;
}

/// The problems of `all` that are not among `some`.
std::vector<Problem> Without(const std::vector<Problem>& all, const std::vector<Problem>& some) {
  std::vector<Problem> rest;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rest), [&some](const Problem& p) {
    return std::none_of(some.begin(), some.end(), [&p](const Problem& q) { return Same(p, q); });
  });
  return rest;
}

/// How the engine is asked for what is a mistake in any case.
MissingReference Tolerance(References references) {
  return references == References::kAsKueue ? MissingReference::kAsKueue
                                            : MissingReference::kAccept;
}

bool SamePlace(const manifest::Place& a, const manifest::Place& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

/// Whether a mistake of reading elsewhere in the object cannot be the cause: names, labels, and
/// kinds whose fields know nothing of each other.
bool StandsAlone(const manifest::Manifests& manifests, ObjectKind kind, const Problem& problem) {
  // A value that is wrong whatever else is written: below zero, or no name.
  const bool is_wrong_alone =
      problem.what.starts_with('-') || problem.what.find("\" is not a ") != std::string::npos;
  const bool is_loose =
      is_wrong_alone || kind == ObjectKind::kPolicyBinding || kind == ObjectKind::kConfiguration ||
      kind == ObjectKind::kEngineConfiguration || problem.field.starts_with("metadata.");
  if (!is_loose) return false;
  const std::size_t cut = problem.field.find_last_of(".[");
  const std::string parent = cut == std::string::npos ? "" : problem.field.substr(0, cut);
  const manifest::Place at = manifests.PlaceOf(problem.object, problem.field);
  // One that is not written may only look so because it could not be read.
  if (SamePlace(at, manifests.PlaceOf(problem.object, parent))) return false;
  return std::none_of(manifests.diagnostics.begin(), manifests.diagnostics.end(),
                      [&at](const Diagnostic& d) { return SamePlace(d.place, at); });
}

/// Words out of a short list. A misspelt one says nothing about quotas or checks beside it.
constexpr std::array<std::string_view, 8> kWords = {"spec.queueingStrategy",
                                                    "spec.stopPolicy",
                                                    "spec.preemption.withinClusterQueue",
                                                    "spec.preemption.reclaimWithinCohort",
                                                    "spec.preemption.borrowWithinCohort.policy",
                                                    "spec.flavorFungibility.whenCanBorrow",
                                                    "spec.flavorFungibility.whenCanPreempt",
                                                    "spec.admissionScope.admissionMode"};

/// Whether all that could not be read is such a word.
bool OnlyWordsAreUnread(const manifest::Manifests& manifests) {
  return std::all_of(
      manifests.diagnostics.begin(), manifests.diagnostics.end(), [&](const Diagnostic& d) {
        for (std::size_t i = 0; i < manifests.left_out.size(); ++i) {
          for (const std::string_view word : kWords) {
            const manifest::Place at = manifests.PlaceOf(manifests.objects.size() + i, word);
            if (SamePlace(d.place, at)) return true;
          }
        }
        return d.severity != Severity::kError;
      });
}

bool IsBesideWords(const Problem& problem) {
  return problem.field.starts_with("spec.resourceGroups") ||
         problem.field.starts_with("spec.admissionChecksStrategy");
}

/// Whether what is missing has the name of a document that could not be read.
bool MayBeUnread(const manifest::Manifests& manifests, const Problem& problem) {
  const std::size_t cut = problem.what.find_last_of(" /");
  return problem.missing && cut != std::string::npos &&
         manifests.unread.contains(problem.what.substr(cut + 1));
}

/// Leaves out what may only be said because an object could not be read as a whole.
void ForgetEchoes(const manifest::Manifests& manifests, std::vector<Problem>* problems) {
  const std::size_t read = manifests.objects.size();
  const bool only_words = OnlyWordsAreUnread(manifests);
  std::erase_if(*problems, [&](const Problem& p) {
    if (MayBeUnread(manifests, p)) return true;
    return p.object >= read && !p.missing && !(only_words && IsBesideWords(p)) &&
           !StandsAlone(manifests, KindOf(manifests.left_out[p.object - read]), p);
  });
}

/// For a verb that takes jobs alone.
void ProposeApply(std::vector<Problem>* problems) {
  constexpr std::string_view kTogether = "apply it in the same call";
  for (Problem& problem : *problems) {
    const std::size_t at = problem.cure.find(kTogether);
    if (at == std::string::npos) continue;
    problem.cure.replace(at, kTogether.size(), "create it with muster apply -f FILE first");
  }
}

}  // namespace

std::vector<Diagnostic> Diagnose(const manifest::Manifests& manifests, References references,
                                 const Engine& engine) {
  std::vector<Diagnostic> found = manifests.diagnostics;
  const auto add = [&](std::span<const Problem> problems, Severity severity) {
    const std::vector<Diagnostic> located = manifest::Locate(manifests, problems, severity);
    found.insert(found.end(), located.begin(), located.end());
  };
  const std::vector<Problem> own = Read(engine.Validate(manifests.objects, Tolerance(references)));
  add(own, Severity::kError);
  if (!manifests.all_named) return found;
  std::vector<Object> objects = manifests.objects;
  objects.insert(objects.end(), manifests.left_out.begin(), manifests.left_out.end());
  std::vector<Problem> rest =
      Without(Read(engine.Validate(objects, MissingReference::kRefuse)), own);
  ForgetEchoes(manifests, &rest);
  ProposeNames(objects, engine, &rest);
  if (references == References::kMustBeStored) ProposeApply(&rest);
  const bool must_exist =
      references == References::kMustExist || references == References::kMustBeStored;
  add(rest, must_exist ? Severity::kError : Severity::kWarning);
  return found;
}

void SortByPlace(std::span<const manifest::Source> sources, std::vector<Diagnostic>* diagnostics) {
  std::map<std::string, std::size_t, std::less<>> order;
  for (const manifest::Source& source : sources) order.emplace(source.name, order.size());
  const auto rank = [&order](const Diagnostic& d) {
    const auto at = order.find(d.place.file);
    return std::tuple(at == order.end() ? order.size() : at->second, d.place.line, d.place.column);
  };
  std::stable_sort(diagnostics->begin(), diagnostics->end(),
                   [&rank](const Diagnostic& a, const Diagnostic& b) { return rank(a) < rank(b); });
}

}  // namespace muster::lab
