// The arithmetic of section 8, digit by digit: factors are the shortest decimals of their doubles,
// every product is cut to nine decimals.
#include "tests/oracle/fair_usage.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace muster::oracle {
namespace {

using Nano = Quantity::Nano;

// "1 - 0.5^(elapsed / halfLife)"; "usageHalfLifeTime 0: 0 for every elapsed time".
double Alpha(DurationNs elapsed, DurationNs half_life) {
  if (half_life == 0) return 0;
  const double seconds = static_cast<double>(elapsed) / 1e9;
  return 1 - std::pow(0.5, seconds / (static_cast<double>(half_life) / 1e9));
}

// amount x factor, cut (not rounded) at nine decimals.
Quantity Multiply(const Quantity& amount, double factor) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, factor, std::chars_format::scientific);
  const std::string number(text, end.ptr);
  const std::size_t e = number.find('e');
  int exponent = std::stoi(number.substr(e + 1));
  Nano digits = 0;
  for (std::size_t i = 0; i < e; ++i) {
    if (number[i] == '.') continue;
    digits = digits * 10 + (number[i] - '0');
    exponent -= i > 0 ? 1 : 0;
  }
  Nano product = amount.nano() * digits;
  for (; exponent < 0; ++exponent) product /= 10;
  return Quantity::FromNano(product);
}

ResourceList Scale(const ResourceList& list, double factor) {
  ResourceList scaled;
  for (const auto& [resource, amount] : list) scaled[resource] = Multiply(amount, factor);
  return scaled;
}

void Add(ResourceList& to, const ResourceList& more) {
  for (const auto& [resource, amount] : more) to[resource] = to[resource] + amount;
}

}  // namespace

double FairUsage::Value(const AdmissionFairSharingConfig& config, double weight) const {
  if (weight <= 0) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const auto& [resource, amount] : consumed) {
    const auto found = config.resource_weights.find(resource);
    const double value = static_cast<double>(amount.nano()) * 1e-9;
    sum += (found == config.resource_weights.end() ? 1 : found->second) * value;
  }
  return sum / weight;
}

void FairUsage::Sample(const AdmissionFairSharingConfig& config, const ResourceList& used,
                       TimeNs now) {
  const double alpha = Alpha(now - last, config.usage_half_life);
  last = now;
  if (config.usage_half_life == 0) {
    consumed.clear();
    return;
  }
  consumed = Scale(consumed, 1 - alpha);
  Add(consumed, Scale(used, alpha));
}

void FairUsage::Settle(const AdmissionFairSharingConfig& config, const ResourceList& used,
                       const ResourceList& requests, TimeNs now) {
  const double alpha = Alpha(now - last, config.usage_half_life);
  last = now;
  consumed = Scale(consumed, 1 - alpha);
  Add(consumed, Scale(used, alpha));
  Add(consumed, Scale(requests, Alpha(config.usage_sampling_interval, config.usage_half_life)));
}

}  // namespace muster::oracle
