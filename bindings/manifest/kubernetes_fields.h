// Fields that Kubernetes objects have and the engine does not read. They are accepted unread; a
// field in neither place is a spelling mistake.
#ifndef MUSTER_BINDINGS_MANIFEST_KUBERNETES_FIELDS_H_
#define MUSTER_BINDINGS_MANIFEST_KUBERNETES_FIELDS_H_

#include <array>
#include <string_view>

namespace muster::manifest {

inline constexpr auto kObjectMetaFields = std::to_array<std::string_view>(
    {"generateName", "selfLink", "resourceVersion", "generation", "deletionTimestamp",
     "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields"});

inline constexpr auto kPodSpecFields =
    std::to_array<std::string_view>({"resources.claims",
                                     "affinity.podAffinity",
                                     "affinity.podAntiAffinity",
                                     "volumes",
                                     "ephemeralContainers",
                                     "restartPolicy",
                                     "terminationGracePeriodSeconds",
                                     "activeDeadlineSeconds",
                                     "dnsPolicy",
                                     "serviceAccountName",
                                     "serviceAccount",
                                     "automountServiceAccountToken",
                                     "nodeName",
                                     "hostNetwork",
                                     "hostPID",
                                     "hostIPC",
                                     "shareProcessNamespace",
                                     "securityContext",
                                     "imagePullSecrets",
                                     "hostname",
                                     "subdomain",
                                     "schedulerName",
                                     "hostAliases",
                                     "priority",
                                     "dnsConfig",
                                     "readinessGates",
                                     "enableServiceLinks",
                                     "preemptionPolicy",
                                     "topologySpreadConstraints",
                                     "setHostnameAsFQDN",
                                     "os",
                                     "hostUsers",
                                     "hostnameOverride",
                                     "workloadRef"});

inline constexpr auto kContainerFields =
    std::to_array<std::string_view>({"resources.claims",
                                     "image",
                                     "command",
                                     "args",
                                     "workingDir",
                                     "ports",
                                     "envFrom",
                                     "env",
                                     "resizePolicy",
                                     "restartPolicyRules",
                                     "volumeMounts",
                                     "volumeDevices",
                                     "livenessProbe",
                                     "readinessProbe",
                                     "startupProbe",
                                     "lifecycle",
                                     "terminationMessagePath",
                                     "terminationMessagePolicy",
                                     "imagePullPolicy",
                                     "securityContext",
                                     "stdin",
                                     "stdinOnce",
                                     "tty"});

inline constexpr auto kJobSpecFields = std::to_array<std::string_view>(
    {"activeDeadlineSeconds", "podFailurePolicy", "successPolicy", "backoffLimit",
     "backoffLimitPerIndex", "maxFailedIndexes", "selector", "manualSelector",
     "ttlSecondsAfterFinished", "completionMode", "podReplacementPolicy"});

inline constexpr auto kNodeFields = std::to_array<std::string_view>(
    {"spec.podCIDR", "spec.podCIDRs", "spec.providerID", "spec.configSource", "spec.externalID",
     "status.capacity", "status.phase", "status.addresses", "status.daemonEndpoints",
     "status.nodeInfo", "status.images", "status.volumesInUse", "status.volumesAttached",
     "status.config", "status.runtimeHandlers", "status.features", "status.declaredFeatures"});

/// About the process that Kueue is; nothing is decided by them, there or here. Warned of in one
/// line.
inline constexpr auto kConfigurationFields = std::to_array<std::string_view>(
    {"namespace", "webhook", "leaderElection", "metrics", "health", "pprofBindAddress",
     "controller", "manager", "tls", "internalCertManagement", "clientConnection",
     "queueVisibility", "visibilityServer"});

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_KUBERNETES_FIELDS_H_
