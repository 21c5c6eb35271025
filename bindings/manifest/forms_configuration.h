// Forms of Kueue's Configuration: what changes decisions is read strictly; what would change them
// in Kueue and does not here is refused; the rest is about Kueue's own process and only warned of.
#ifndef MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_
#define MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bindings/manifest/form_reader.h"
#include "bindings/manifest/ways.h"

namespace muster::manifest {

template <>
struct Form<FairSharingConfig> : PartForm {
  static void ReadRest(Sections&, FairSharingConfig* config) {
    if (config->preemption_strategies.empty()) *config = FairSharingConfig();
  }
};

/// Nothing is as if it were left out.
struct SamplingInterval {
  static bool Read(const Value& value, DurationNs* out) {
    DurationNs interval = 0;
    const bool ok = ReadDuration(value, &interval);
    if (interval > 0) *out = interval;
    return ok;
  }
};

template <>
struct Form<AdmissionFairSharingConfig> : PartForm {
  static constexpr std::tuple kFields = {
      By<SamplingInterval>(&AdmissionFairSharingConfig::usage_sampling_interval)};
};

template <>
struct Form<WaitForPodsReadyConfig> : PartForm {
  static constexpr std::array kUnheeded = {Unheeded{"maxTimeoutOnWorkload",
                                                    "no workload brings a timeout of its own",
                                                    "remove it; timeout holds for every workload"}};
  static void Begin(const Decoding& decoding, WaitForPodsReadyConfig* config) {
    if (!decoding.v1beta1) return;
    config->timeout = 300 * kSecond;
    config->block_admission = true;
  }
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

/// Only gates that are known.
struct FeatureGates {
  static bool Read(const Value& value, std::map<std::string, bool, std::less<>>* out);
};

template <>
struct Form<Configuration> : DocumentForm {
  static constexpr std::string_view kBelow{};
  static constexpr std::tuple kFields = {
      By<Switched>(&Configuration::fair_sharing),
      By<Switched>(&Configuration::wait_for_pods_ready),
      By(&Configuration::quota_check, ""),
      By<FeatureGates>(&Configuration::feature_gates),
  };
  static constexpr std::array kUnheeded = {
      Unheeded{"resources.deviceClassMappings", "devices that are claimed are charged to no quota",
               "request devices by resource name"},
      Unheeded{"multiKueue", "no job is sent to another cluster",
               "remove it; its AdmissionCheck can be answered with muster check"},
      Unheeded{"integrations.externalFrameworks", "only a Job and a Workload can be queued",
               "remove it"},
      Unheeded{"integrations.podOptions", "only a Job and a Workload can be queued", "remove it"},
      Unheeded{"integrations.labelKeysToCopy", "only a Job and a Workload can be queued",
               "remove it"},
  };
  static void ReadRest(Sections& sections, Configuration* config);
};

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_FORMS_CONFIGURATION_H_
