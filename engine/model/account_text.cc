// How accounts are written, for people and in the keys of rows.
#include <algorithm>

#include "engine/base/time_text.h"
#include "engine/model/names.h"
#include "muster/account.h"

namespace muster {
namespace {

std::string PartText(AccountBy by, const std::string& label) {
  const std::string text(EnumName(by));
  return by == AccountBy::kLabel ? text + ":" + label : text;
}

/// Texts of labels have none of these by themselves where Kubernetes made them.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == ',' || c == '=') escaped.push_back('\\');
    escaped.push_back(c);
  }
  return escaped;
}

}  // namespace

bool AccountRule::IsOfNow() const {
  return of == AccountOf::kRunning || of == AccountOf::kPending || of == AccountOf::kHeld;
}

bool AccountRule::IsExact() const {
  constexpr AccountOf kExact[] = {AccountOf::kSubmitted, AccountOf::kAdmitted,
                                  AccountOf::kFinished,  AccountOf::kFailed,
                                  AccountOf::kCancelled, AccountOf::kEvicted};
  return std::find(std::begin(kExact), std::end(kExact), of) != std::end(kExact);
}

std::string AccountRule::ByText() const {
  std::string text = PartText(by, label);
  for (const AccountKeyPart& part : also) text += "," + PartText(part.by, part.label);
  return text;
}

std::string AccountRule::OfText() const {
  if (of == AccountOf::kResource) return resource;
  const std::string text(EnumName(of));
  return resource.empty() ? text : text + ":" + resource;
}

std::string AccountRule::OverText() const {
  if (IsOfNow()) return "now";
  const std::string text(EnumName(over));
  return over == AccountOver::kHalfLife || over == AccountOver::kWindow
             ? text + " " + FormatDuration(span)
             : text;
}

std::string AccountRule::WhereText() const {
  std::string text;
  for (const auto& [name, value] : where) {
    text += (text.empty() ? "" : ",") + Escaped(name) + "=" + Escaped(value);
  }
  return text;
}

}  // namespace muster
