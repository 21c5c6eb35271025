// Forms of Kueue's Configuration: what changes decisions is read strictly; what would change them
// in Kueue and does not here is refused; the rest is about Kueue's own process and only warned of.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bindings/manifest/form.h"
#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

template <>
struct Form<FairSharingConfig> : PartForm {
  static void ReadRest(Sections& sections, FairSharingConfig* config);
};

/// Nothing is as if it were left out.
struct SamplingInterval {
  static bool Read(const Value& value, DurationNs* out);
};

template <>
struct Form<AdmissionFairSharingConfig> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&AdmissionFairSharingConfig::usage_half_life, "usageHalfLifeTime").Need("168h"),
      Field(&AdmissionFairSharingConfig::usage_sampling_interval).As<SamplingInterval>(),
  };
};

template <>
struct Form<WaitForPodsReadyConfig> : PartForm {
  using Config = WaitForPodsReadyConfig;
  static constexpr std::tuple kFields = {
      Field(&Config::requeuing_timestamp, "requeuingStrategy.timestamp"),
      Field(&Config::backoff_base_seconds, "requeuingStrategy.backoffBaseSeconds"),
      Field(&Config::backoff_max_seconds, "requeuingStrategy.backoffMaxSeconds"),
      Field(&Config::backoff_limit_count, "requeuingStrategy.backoffLimitCount"),
  };
  static void Begin(const Decoding& decoding, Config* config);
  static void ReadRest(Sections& sections, Config* config);
};

/// A part that is on where it is there; in v1beta1 where it says `enable: true`.
struct Switched {
  template <typename Config>
  static bool Read(const Value& value, std::optional<Config>* out) {
    Fields fields(value);
    Sections sections(fields);
    Config config;
    ReadFields(sections, &config);
    bool enable = !value.decoding().v1beta1;
    if (value.decoding().v1beta1) fields.Get("enable", &enable);
    if (enable) *out = std::move(config);
    return true;
  }
};

template <>
struct Form<ResourceTransformation> : PartForm {
  static constexpr std::tuple kFields = {
      Field(&ResourceTransformation::input).Need("example.com/device"),
  };
};

/// Only gates that are known.
struct FeatureGates {
  static bool Read(const Value& value, std::map<std::string, bool, std::less<>>* out);
};

template <>
struct Form<Configuration> : DocumentForm {
  using C = Configuration;
  static constexpr std::string_view kBelow = "";
  static constexpr std::tuple kFields = {
      Field(&C::fair_sharing).As<Switched>(),
      Field(&C::wait_for_pods_ready).As<Switched>(),
      Field(&C::exclude_resource_prefixes, "resources.excludeResourcePrefixes"),
      Field(&C::transformations, "resources.transformations"),
      Field(&C::quota_check, "resources.quotaCheckStrategy").InV1beta1(""),
      Field(&C::feature_gates).As<FeatureGates>(),
      Field(&C::retain_finished, "objectRetentionPolicies.workloads.afterFinished"),
      Field(&C::retain_deactivated, "objectRetentionPolicies.workloads.afterDeactivatedByKueue"),
  };
  static void ReadRest(Sections& sections, C* config);
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_
