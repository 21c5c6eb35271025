// See attempt_text.h.
#include "engine/cure/attempt_text.h"

#include <algorithm>

#include "engine/base/amount.h"
#include "muster/quantity.h"

namespace muster {
namespace {

std::string Freeable(const ResourceAttempt& resource) {
  return resource.freeable == 0
             ? "evictions could free none"
             : "evictions could free at most " + FormatAmount(resource.resource, resource.freeable);
}

}  // namespace

bool IsOver(const ResourceAttempt& resource) { return resource.requested > resource.maximum; }

std::string Shown(const ResourceAttempt& resource, Amount amount) {
  return FormatAmount(resource.resource, amount) + " " + resource.resource;
}

std::string Own(const ResourceAttempt& resource) {
  return FormatAmount(resource.resource, Sub(resource.requested, resource.beside));
}
std::string Beside(const ResourceAttempt& resource) {
  if (resource.beside == 0) return "";
  return " beside " + FormatAmount(resource.resource, resource.beside) + " for podsets before it";
}

std::string Brief(const FlavorAttempt& attempt,
                  const std::function<std::string(const ResourceAttempt&)>& because) {
  if (!attempt.refused.empty()) return attempt.refused;
  std::string text;
  for (const ResourceAttempt& resource : attempt.resources) {
    if (resource.shortage == 0) continue;
    text += text.empty() ? attempt.flavor + " " : " and ";
    if (IsOver(resource)) {
      text += "can never have more than " + Shown(resource, resource.maximum) + " (" +
              Own(resource) + " asked" + Beside(resource) + ")";
    } else {
      text += "is short of " + Shown(resource, resource.shortage) + " (" + Own(resource) +
              " asked" + Beside(resource) + ", " +
              FormatAmount(resource.resource, resource.available) + " left, " +
              Evictions(resource) + because(resource) + ")";
    }
  }
  return text.empty() ? attempt.flavor + " fits, but not beside the others" : text;
}

std::string Evictions(const ResourceAttempt& resource) {
  const bool enough = resource.freeable >= resource.shortage;
  return Freeable(resource) + (enough ? ", but no set that it may evict makes room" : "");
}

}  // namespace muster
