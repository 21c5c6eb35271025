#include "bindings/manifest/passive_kinds.h"

#include <algorithm>
#include <array>

namespace muster::manifest {
namespace {

struct PassiveKind {
  std::string_view group;  ///< empty: core
  std::string_view kind;
};

/// Of Kubernetes 1.34's own APIs all that make no pods, and of other projects' those that are often
/// written beside jobs.
constexpr auto kPassive = std::to_array<PassiveKind>({
    {"", "ConfigMap"},
    {"", "Endpoints"},
    {"", "Event"},
    {"", "PersistentVolume"},
    {"", "PersistentVolumeClaim"},
    {"", "PodTemplate"},
    {"", "Secret"},
    {"", "Service"},
    {"", "ServiceAccount"},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "MutatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "MutatingWebhookConfiguration"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicy"},
    {"admissionregistration.k8s.io", "ValidatingAdmissionPolicyBinding"},
    {"admissionregistration.k8s.io", "ValidatingWebhookConfiguration"},
    {"apiextensions.k8s.io", "CustomResourceDefinition"},
    {"apiregistration.k8s.io", "APIService"},
    {"apps", "ControllerRevision"},
    {"autoscaling", "HorizontalPodAutoscaler"},
    {"autoscaling.k8s.io", "VerticalPodAutoscaler"},
    {"bitnami.com", "SealedSecret"},
    {"cert-manager.io", "Certificate"},
    {"cert-manager.io", "ClusterIssuer"},
    {"cert-manager.io", "Issuer"},
    {"certificates.k8s.io", "CertificateSigningRequest"},
    {"certificates.k8s.io", "ClusterTrustBundle"},
    {"coordination.k8s.io", "Lease"},
    {"discovery.k8s.io", "EndpointSlice"},
    {"events.k8s.io", "Event"},
    {"external-secrets.io", "ClusterSecretStore"},
    {"external-secrets.io", "ExternalSecret"},
    {"external-secrets.io", "SecretStore"},
    {"flowcontrol.apiserver.k8s.io", "FlowSchema"},
    {"flowcontrol.apiserver.k8s.io", "PriorityLevelConfiguration"},
    {"gateway.networking.k8s.io", "GRPCRoute"},
    {"gateway.networking.k8s.io", "Gateway"},
    {"gateway.networking.k8s.io", "GatewayClass"},
    {"gateway.networking.k8s.io", "HTTPRoute"},
    {"gateway.networking.k8s.io", "ReferenceGrant"},
    {"gateway.networking.k8s.io", "TCPRoute"},
    {"gateway.networking.k8s.io", "TLSRoute"},
    {"gateway.networking.k8s.io", "UDPRoute"},
    {"inference.networking.k8s.io", "InferenceObjective"},
    {"inference.networking.x-k8s.io", "InferenceModel"},
    {"inference.networking.x-k8s.io", "InferenceObjective"},
    {"kustomize.config.k8s.io", "Component"},
    {"kustomize.config.k8s.io", "Kustomization"},
    {"monitoring.coreos.com", "PodMonitor"},
    {"monitoring.coreos.com", "PrometheusRule"},
    {"monitoring.coreos.com", "ServiceMonitor"},
    {"networking.istio.io", "DestinationRule"},
    {"networking.istio.io", "Gateway"},
    {"networking.istio.io", "ServiceEntry"},
    {"networking.istio.io", "VirtualService"},
    {"networking.k8s.io", "IPAddress"},
    {"networking.k8s.io", "Ingress"},
    {"networking.k8s.io", "IngressClass"},
    {"networking.k8s.io", "NetworkPolicy"},
    {"networking.k8s.io", "ServiceCIDR"},
    {"policy", "PodDisruptionBudget"},
    {"rbac.authorization.k8s.io", "ClusterRole"},
    {"rbac.authorization.k8s.io", "ClusterRoleBinding"},
    {"rbac.authorization.k8s.io", "Role"},
    {"rbac.authorization.k8s.io", "RoleBinding"},
    {"security.istio.io", "AuthorizationPolicy"},
    {"security.istio.io", "PeerAuthentication"},
    {"snapshot.storage.k8s.io", "VolumeSnapshot"},
    {"snapshot.storage.k8s.io", "VolumeSnapshotClass"},
    {"snapshot.storage.k8s.io", "VolumeSnapshotContent"},
    {"storage.k8s.io", "CSIDriver"},
    {"storage.k8s.io", "CSINode"},
    {"storage.k8s.io", "CSIStorageCapacity"},
    {"storage.k8s.io", "StorageClass"},
    {"storage.k8s.io", "VolumeAttachment"},
    {"storage.k8s.io", "VolumeAttributesClass"},
});

}  // namespace

bool IsPassiveKind(std::string_view group, std::string_view kind) {
  return std::any_of(kPassive.begin(), kPassive.end(), [&](const PassiveKind& each) {
    return each.group == group && each.kind == kind;
  });
}

bool PassiveDocuments::Take(const YamlNode& document, const Reporter& reporter) {
  const YamlNode* kind = document.Find("kind");
  const YamlNode* version = document.Find("apiVersion");
  if (kind == nullptr || version == nullptr || version->text().empty()) return false;
  const std::string_view text = version->text();
  const std::size_t slash = text.find('/');
  const std::string group(slash == text.npos ? "" : text.substr(0, slash));
  if (slash == text.npos && text != "v1") return false;
  if (!IsPassiveKind(group, kind->text())) return false;
  const auto [met, is_new] = met_.try_emplace({group, std::string(kind->text())});
  if (is_new) {
    met->second = {kind->at, reporter.source(), reporter.PlaceAt({}).file, 0};
  }
  ++met->second.count;
  return true;
}

void PassiveDocuments::Report(Reporter& reporter) const {
  for (const auto& [id, met] : met_) {
    reporter.BeginSource(met.source, met.file);
    const std::string& kind = id.second;
    const std::string what = met.count == 1
                                 ? "the " + kind + " asks for no quota and is skipped"
                                 : std::to_string(met.count) + " of kind " + kind +
                                       " ask for no quota and are skipped, this one first";
    reporter.Warning(met.first, what, "--ignore-kinds " + kind + " skips them without this note");
  }
}

}  // namespace muster::manifest
