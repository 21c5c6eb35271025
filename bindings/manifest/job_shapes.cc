// See job_shapes.h.
#include "bindings/manifest/job_shapes.h"

#include <algorithm>
#include <array>

namespace muster::manifest {
namespace {

constexpr auto kShapes = std::to_array<Shape>({
    {"AppWrapper", "apiVersion:text kind:text metadata:map spec:AppWrapperSpec! status:map"},
    {"AppWrapperComponent", "template:Wrapped! podSets:[AppWrapperPodSet] podSetInfos annotations"},
    {"AppWrapperPodSet", "path:text! replicas:count annotations:map"},
    {"AppWrapperSpec", "components:[AppWrapperComponent] suspend:bool managedBy:text"},
    {"ClusterTrainingRuntime",
     "apiVersion:text kind:text metadata:map spec:RuntimeSpec! status:map"},
    {"Container",
     "name:text resources:Resources restartPolicy image command args workingDir ports envFrom "
     "env:list resizePolicy restartPolicyRules volumeMounts volumeDevices livenessProbe "
     "readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy "
     "imagePullPolicy securityContext stdin stdinOnce tty"},
    {"Deployment", "apiVersion:text kind:text metadata:map spec:DeploymentSpec! status:map"},
    {"DeploymentSpec",
     "replicas:count template:PodTemplate! selector strategy minReadySeconds "
     "revisionHistoryLimit paused progressDeadlineSeconds"},
    {"InferencePool", "apiVersion:text kind:text metadata:map spec:InferencePoolSpec! status:map"},
    {"InferencePoolSpec",
     "selector:map targetPorts endpointPickerRef appProtocol targetPortNumber extensionRef"},
    {"JAXJob", "apiVersion:text kind:text metadata:map spec:JAXJobSpec! status:map"},
    {"JAXJobRoles", "Worker:ReplicaSpec"},
    {"JAXJobSpec",
     "jaxReplicaSpecs:JAXJobRoles runPolicy:RunPolicy cleanPodPolicy ttlSecondsAfterFinished "
     "activeDeadlineSeconds backoffLimit"},
    {"Job", "apiVersion:text kind:text metadata:map spec:JobSpec! status:map"},
    {"JobSet", "apiVersion:text kind:text metadata:map spec:JobSetSpec! status:map"},
    {"JobSetSpec",
     "replicatedJobs:[ReplicatedJob] suspend:bool managedBy:text network successPolicy "
     "failurePolicy startupPolicy coordinator ttlSecondsAfterFinished volumeClaimPolicies"},
    {"JobSetTemplate", "metadata:Metadata spec:JobSetSpec"},
    {"JobSpec",
     "parallelism:count completions:count completionMode:text suspend:bool "
     "template:PodTemplate managedBy:text backoffLimit activeDeadlineSeconds podFailurePolicy "
     "successPolicy backoffLimitPerIndex maxFailedIndexes selector manualSelector "
     "ttlSecondsAfterFinished podReplacementPolicy"},
    {"JobTemplate", "metadata:Metadata spec:JobSpec"},
    {"LeaderWorkerSet",
     "apiVersion:text kind:text metadata:map spec:LeaderWorkerSetSpec! status:map"},
    {"LeaderWorkerSetSpec",
     "replicas:count leaderWorkerTemplate:LeaderWorkerTemplate rolloutStrategy:map "
     "startupPolicy networkConfig"},
    {"LeaderWorkerTemplate",
     "size:positive leaderTemplate:PodTemplate workerTemplate:PodTemplate restartPolicy "
     "subGroupPolicy resizePolicy volumeClaimTemplates persistentVolumeClaimRetentionPolicy"},
    {"MPIJob", "apiVersion:text kind:text metadata:map spec:MPIJobSpec! status:map"},
    {"MPIJobRoles", "Launcher:ReplicaSpec Worker:ReplicaSpec"},
    {"MPIJobSpec",
     "mpiReplicaSpecs:MPIJobRoles runPolicy:RunPolicy runLauncherAsWorker:bool slotsPerWorker "
     "sshAuthMountPath launcherCreationPolicy mpiImplementation mainContainer cleanPodPolicy "
     "ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
    {"Metadata",
     "name namespace labels:map annotations:map uid creationTimestamp generateName selfLink "
     "resourceVersion generation deletionTimestamp deletionGracePeriodSeconds ownerReferences "
     "finalizers managedFields"},
    {"MlPolicy", "numNodes:count mpi:MpiPolicy torch torchElastic flux jax tensorflow xgboost"},
    {"MpiPolicy", "runLauncherAsNode:bool numProcPerNode mpiImplementation sshAuthMountPath"},
    {"PaddleJob", "apiVersion:text kind:text metadata:map spec:PaddleJobSpec! status:map"},
    {"PaddleJobRoles", "Master:ReplicaSpec Worker:ReplicaSpec"},
    {"PaddleJobSpec",
     "paddleReplicaSpecs:PaddleJobRoles runPolicy:RunPolicy elasticPolicy cleanPodPolicy "
     "ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
    {"Pod", "apiVersion:text kind:text metadata:Metadata spec:PodSpec! status:map"},
    {"PodSpec",
     "containers:[Container] initContainers:[Container] nodeSelector:map tolerations:list "
     "priorityClassName:text overhead:map affinity:map resources:Resources "
     "runtimeClassName:text schedulingGates:[SchedulingGate] volumes ephemeralContainers "
     "restartPolicy "
     "terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy serviceAccountName "
     "serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC "
     "shareProcessNamespace securityContext imagePullSecrets hostname subdomain schedulerName "
     "hostAliases priority dnsConfig readinessGates enableServiceLinks preemptionPolicy "
     "topologySpreadConstraints setHostnameAsFQDN os hostUsers hostnameOverride workloadRef "
     "resourceClaims"},
    {"PodTemplate", "metadata:Metadata spec:PodSpec"},
    {"PyTorchJob", "apiVersion:text kind:text metadata:map spec:PyTorchJobSpec! status:map"},
    {"PyTorchJobRoles", "Master:ReplicaSpec Worker:ReplicaSpec"},
    {"PyTorchJobSpec",
     "pytorchReplicaSpecs:PyTorchJobRoles runPolicy:RunPolicy elasticPolicy nprocPerNode "
     "cleanPodPolicy ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
    {"RayAutoscaler",
     "resources:Resources image imagePullPolicy securityContext idleTimeoutSeconds "
     "upscalingMode version env envFrom volumeMounts"},
    {"RayCluster", "apiVersion:text kind:text metadata:map spec:RayClusterSpec! status:map"},
    {"RayClusterSpec",
     "headGroupSpec:RayHead! workerGroupSpecs:[RayGroup] enableInTreeAutoscaling:bool "
     "autoscalerOptions:RayAutoscaler gcsFaultToleranceOptions:map suspend:bool managedBy:text "
     "rayVersion headServiceAnnotations authOptions upgradeStrategy networkPolicy"},
    {"RayGroup",
     "groupName:text replicas:count numOfHosts:count minReplicas:count maxReplicas:count "
     "template:PodTemplate suspend:bool rayStartParams scaleStrategy idleTimeoutSeconds "
     "resources labels"},
    {"RayHead",
     "template:PodTemplate rayStartParams serviceType headService enableIngress resources "
     "labels"},
    {"RayJob", "apiVersion:text kind:text metadata:map spec:RayJobSpec! status:map"},
    {"RayJobSpec",
     "rayClusterSpec:RayClusterSpec submissionMode:text submitterPodTemplate:PodTemplate "
     "clusterSelector:map shutdownAfterJobFinishes:bool suspend:bool managedBy:text entrypoint "
     "runtimeEnvYAML jobId metadata submitterConfig backoffLimit activeDeadlineSeconds "
     "ttlSecondsAfterFinished deletionStrategy deletionPolicy entrypointNumCpus "
     "entrypointNumGpus entrypointResources preRunningDeadlineSeconds waitForIngress"},
    {"RayService", "apiVersion:text kind:text metadata:map spec:RayServiceSpec! status:map"},
    {"RayServiceSpec",
     "rayClusterConfig:RayClusterSpec! serveConfigV2 serveService upgradeStrategy managedBy "
     "excludeHeadPodFromServeSvc rayClusterDeletionDelaySeconds "
     "serviceUnhealthySecondThreshold deploymentUnhealthySecondThreshold "
     "serveDeploymentGraphSpec suspend"},
    {"ReplicaSet", "apiVersion:text kind:text metadata:map spec:ReplicaSetSpec! status:map"},
    {"ReplicaSetSpec", "replicas:count template:PodTemplate! selector minReadySeconds"},
    {"ReplicaSpec", "replicas:count template:PodTemplate restartPolicy"},
    {"ReplicatedJob", "name:text replicas:count template:JobTemplate groupName dependsOn"},
    {"Resources", "requests:map limits:map claims"},
    {"RunPolicy",
     "suspend:bool managedBy:text schedulingPolicy:SchedulingPolicy cleanPodPolicy "
     "ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
    {"RuntimePatch", "manager:text trainingRuntimeSpec:RuntimeSpec time"},
    {"RuntimeRef", "name:text kind:text apiGroup:text"},
    {"RuntimeSpec", "mlPolicy:MlPolicy template:JobSetTemplate podGroupPolicy"},
    {"SchedulingGate", "name:text"},
    {"SchedulingPolicy",
     "priorityClass:text minAvailable queue minResources scheduleTimeoutSeconds"},
    {"SparkApplication", "apiVersion:text kind:text metadata:map spec:SparkSpec! status:map"},
    {"SparkDriver",
     "coreRequest:scalar coreLimit:scalar memory:scalar memoryLimit:scalar gpu:SparkGpu "
     "sidecars:[Container] initContainers:[Container] nodeSelector:map tolerations:list "
     "affinity:map priorityClassName:text labels:map annotations:map template:PodTemplate cores "
     "memoryOverhead image configMaps secrets env envVars envFrom envSecretKeyRefs "
     "volumeMounts podSecurityContext securityContext schedulerName hostNetwork dnsConfig "
     "terminationGracePeriodSeconds serviceAccount hostAliases shareProcessNamespace ports "
     "lifecycle javaOptions podName kubernetesMaster serviceAnnotations serviceLabels"},
    {"SparkDynamic",
     "enabled:bool initialExecutors minExecutors maxExecutors shuffleTrackingEnabled "
     "shuffleTrackingTimeout"},
    {"SparkExecutor",
     "instances:count coreRequest:scalar coreLimit:scalar memory:scalar memoryLimit:scalar "
     "gpu:SparkGpu sidecars:[Container] initContainers:[Container] nodeSelector:map "
     "tolerations:list affinity:map priorityClassName:text labels:map annotations:map "
     "template:PodTemplate cores memoryOverhead image configMaps secrets env envVars envFrom "
     "envSecretKeyRefs volumeMounts podSecurityContext securityContext schedulerName "
     "hostNetwork dnsConfig terminationGracePeriodSeconds serviceAccount hostAliases "
     "shareProcessNamespace ports lifecycle javaOptions podName deleteOnTermination"},
    {"SparkGpu", "name:text quantity:count"},
    {"SparkSpec",
     "driver:SparkDriver executor:SparkExecutor dynamicAllocation:SparkDynamic "
     "nodeSelector:map mode:text suspend:bool type sparkVersion proxyUser image "
     "imagePullPolicy imagePullSecrets mainClass mainApplicationFile arguments sparkConf "
     "hadoopConf sparkConfigMap hadoopConfigMap volumes restartPolicy failureRetries "
     "retryInterval pythonVersion memoryOverheadFactor monitoring batchScheduler "
     "batchSchedulerOptions timeToLiveSeconds sparkUIOptions driverIngressOptions deps"},
    {"StatefulSet", "apiVersion:text kind:text metadata:map spec:StatefulSetSpec! status:map"},
    {"StatefulSetSpec",
     "replicas:count template:PodTemplate! selector serviceName volumeClaimTemplates "
     "podManagementPolicy updateStrategy revisionHistoryLimit minReadySeconds "
     "persistentVolumeClaimRetentionPolicy ordinals"},
    {"TFJob", "apiVersion:text kind:text metadata:map spec:TFJobSpec! status:map"},
    {"TFJobRoles",
     "Chief:ReplicaSpec Master:ReplicaSpec PS:ReplicaSpec Worker:ReplicaSpec "
     "Evaluator:ReplicaSpec"},
    {"TFJobSpec",
     "tfReplicaSpecs:TFJobRoles runPolicy:RunPolicy successPolicy enableDynamicWorker "
     "cleanPodPolicy ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
    {"TrainJob", "apiVersion:text kind:text metadata:map spec:TrainJobSpec! status:map"},
    {"TrainJobSpec",
     "runtimeRef:RuntimeRef trainer:Trainer runtimePatches:[RuntimePatch] suspend:bool "
     "managedBy:text initializer labels annotations podTemplateOverrides podSpecOverrides "
     "activeDeadlineSeconds ttlSecondsAfterFinished"},
    {"Trainer", "numNodes:count resourcesPerNode:Resources numProcPerNode image command args env"},
    {"TrainingRuntime", "apiVersion:text kind:text metadata:map spec:RuntimeSpec! status:map"},
    {"XGBoostJob", "apiVersion:text kind:text metadata:map spec:XGBoostJobSpec! status:map"},
    {"XGBoostJobRoles", "Master:ReplicaSpec Worker:ReplicaSpec"},
    {"XGBoostJobSpec",
     "xgbReplicaSpecs:XGBoostJobRoles runPolicy:RunPolicy cleanPodPolicy "
     "ttlSecondsAfterFinished activeDeadlineSeconds backoffLimit"},
});
static_assert(std::is_sorted(kShapes.begin(), kShapes.end(),
                             [](const Shape& a, const Shape& b) { return a.name < b.name; }));

}  // namespace

const Shape* FindShape(std::string_view name) {
  const auto* const found =
      std::lower_bound(kShapes.begin(), kShapes.end(), name,
                       [](const Shape& shape, std::string_view key) { return shape.name < key; });
  return found != kShapes.end() && found->name == name ? &*found : nullptr;
}

std::span<const Shape> Shapes() { return kShapes; }

}  // namespace muster::manifest
