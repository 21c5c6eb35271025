// See fair_usage.h for the formulas.
#include "engine/state/fair_usage.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/base/check.h"

namespace muster {
namespace {

/// A positive double as mantissa * 10^-scale, in its shortest decimal form (at most 17 digits).
struct ScaledNumber {
  Quantity::Nano mantissa = 0;
  int scale = 0;
};

ScaledNumber ShortestDecimal(double value) {
  char text[64];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  MUSTER_CHECK(error == std::errc());
  ScaledNumber decimal;
  bool after_point = false;
  const char* p = text;
  for (; p != end && *p != 'e'; ++p) {
    if (*p == '.') {
      after_point = true;
      continue;
    }
    decimal.mantissa = decimal.mantissa * 10 + (*p - '0');
    if (after_point) ++decimal.scale;
  }
  int exponent = 0;
  if (p != end) {
    ++p;                 // past 'e'
    if (*p == '+') ++p;  // from_chars takes no plus sign
    std::from_chars(p, end, exponent);
  }
  decimal.scale -= exponent;
  return decimal;
}

ResourceList Scaled(const ResourceList& list, double factor) {
  ResourceList scaled;
  for (const auto& [name, amount] : list) scaled[name] = ScaleDown(amount, factor);
  return scaled;
}

void Merge(ResourceList& into, const ResourceList& more) {
  for (const auto& [name, amount] : more) into[name] = into[name] + amount;
}

}  // namespace

double DecayAlpha(DurationNs elapsed, DurationNs half_life) {
  if (half_life == 0) return 0;
  return 1.0 - std::pow(0.5, static_cast<double>(elapsed) / static_cast<double>(half_life));
}

Quantity ScaleDown(Quantity amount, double factor) {
  if (factor <= 0 || amount.IsZero()) return Quantity();
  ScaledNumber decimal = ShortestDecimal(factor);
  while (decimal.scale < 0) {
    decimal.mantissa *= 10;
    ++decimal.scale;
  }
  // amount * mantissa may need 155 bits; dividing by 10^scale in two steps keeps each within 128.
  constexpr Quantity::Nano kStep = 1'000'000'000;
  const Quantity::Nano high = amount.nano() / kStep;
  const Quantity::Nano low = amount.nano() % kStep;
  if (decimal.scale < 9) {
    Quantity::Nano product = amount.nano() * decimal.mantissa;
    for (int i = 0; i < decimal.scale; ++i) product /= 10;
    return Quantity::FromNano(product);
  }
  Quantity::Nano product = high * decimal.mantissa + low * decimal.mantissa / kStep;
  for (int i = 9; i < decimal.scale && product != 0; ++i) product /= 10;
  return Quantity::FromNano(product);
}

void FairUsage::Start(const ResourceList& consumed, const AdmissionFairSharingConfig& config,
                      TimeNs now) {
  consumed_ = consumed;
  last_update_ = now;
  Decay({}, config, now);
}

/// Nothing has to be forgotten of a usage that was never updated.
DurationNs FairUsage::SinceUpdate(TimeNs now) const {
  return last_update_ == kNoTime ? 0 : now - last_update_;
}

void FairUsage::Decay(const ResourceList& admitted, const AdmissionFairSharingConfig& config,
                      TimeNs now) {
  if (config.usage_half_life == 0) {
    consumed_.clear();
  } else {
    const double alpha = DecayAlpha(SinceUpdate(now), config.usage_half_life);
    consumed_ = Scaled(consumed_, 1.0 - alpha);
    Merge(consumed_, Scaled(admitted, alpha));
  }
  last_update_ = now;
}

bool FairUsage::SampleIfDue(const ResourceList& admitted, const AdmissionFairSharingConfig& config,
                            TimeNs now) {
  if (SinceUpdate(now) < config.usage_sampling_interval) return false;
  Decay(admitted, config, now);
  return true;
}

void FairUsage::AddPending(WorkloadId workload, const ResourceList& requests,
                           const AdmissionFairSharingConfig& config) {
  pending_[workload] =
      Scaled(requests, DecayAlpha(config.usage_sampling_interval, config.usage_half_life));
}

void FairUsage::Settle(WorkloadId workload, const ResourceList& admitted,
                       const AdmissionFairSharingConfig& config, TimeNs now) {
  const auto penalty = pending_.find(workload);
  if (penalty == pending_.end()) return;
  if (config.usage_half_life != 0) {
    Decay(admitted, config, now);
    Merge(consumed_, penalty->second);
  }
  last_update_ = now;
  pending_.erase(penalty);
}

void FairUsage::Restore(ResourceList consumed, std::map<WorkloadId, ResourceList> pending,
                        TimeNs last_update) {
  consumed_ = std::move(consumed);
  pending_ = std::move(pending);
  last_update_ = last_update;
}

double FairUsage::Value(const AdmissionFairSharingConfig& config, double queue_weight) const {
  if (queue_weight <= 0) return std::numeric_limits<double>::infinity();
  ResourceList total = consumed_;
  for (const auto& [workload, penalty] : pending_) Merge(total, penalty);
  double value = 0;
  for (const auto& [name, amount] : total) {
    const auto weight = config.resource_weights.find(name);
    value += (weight == config.resource_weights.end() ? 1.0 : weight->second) *
             (static_cast<double>(amount.nano()) * 1e-9);
  }
  return value / queue_weight;
}

}  // namespace muster
