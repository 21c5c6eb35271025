// How accounts are written, for people and in the keys of rows.
#include "engine/base/time_text.h"
#include "engine/model/names.h"
#include "muster/account.h"

namespace muster {

std::string AccountRule::ByText() const {
  const std::string text(EnumName(by));
  return by == AccountBy::kLabel ? text + ":" + label : text;
}

std::string AccountRule::OfText() const {
  if (of == AccountOf::kResource) return resource;
  const std::string text(EnumName(of));
  return of == AccountOf::kPreempted || of == AccountOf::kLost ? text + ":" + resource : text;
}

std::string AccountRule::OverText() const {
  const std::string text(EnumName(over));
  return over == AccountOver::kHalfLife || over == AccountOver::kWindow
             ? text + " " + FormatDuration(span)
             : text;
}

}  // namespace muster
