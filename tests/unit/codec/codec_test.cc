// Bytes and JSON of every kind; bytes that were never written.
#include "engine/codec/codec.h"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdlib>
#include <random>
#include <string_view>

#include "engine/codec/fields.h"
#include "tests/testing/short_names.h"
#include "tests/unit/model/sample_objects.h"

namespace muster {

namespace {

class CodecOfEveryKind : public testing::TestWithParam<std::size_t> {
 protected:
  ObjectKind kind() const { return KindOf(sample_); }
  const Object sample_ = SampleObjects()[GetParam()];
};

INSTANTIATE_TEST_SUITE_P(Kinds, CodecOfEveryKind, testing::Range(std::size_t{0}, kObjectKinds),
                         NameOfKind);

TEST(Codec, TheSamplesCoverEveryKind) {
  const std::vector<Object> samples = SampleObjects();
  ASSERT_EQ(samples.size(), kObjectKinds);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].index(), i);
}

TEST_P(CodecOfEveryKind, ReadsBackWhatItWrote) {
  const auto back = Decode(kind(), Encode(sample_));
  ASSERT_TRUE(back.ok()) << back.status().message();
  EXPECT_TRUE(*back == sample_) << ToCanonicalJson(*back);
}

TEST_P(CodecOfEveryKind, IsDeterministic) {
  const auto back = Decode(kind(), Encode(sample_));
  EXPECT_EQ(Encode(*back), Encode(sample_));
  EXPECT_EQ(ToCanonicalJson(*back), ToCanonicalJson(sample_));
}

TEST_P(CodecOfEveryKind, RefusesEveryPrefix) {
  const std::string bytes = Encode(sample_);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = Decode(kind(), std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(cut.ok()) << "the first " << size << " of " << bytes.size() << " bytes";
    ASSERT_EQ(cut.status().code(), StatusCode::kDataLoss);
  }
}

TEST_P(CodecOfEveryKind, RefusesTrailingBytesAndUnknownVersions) {
  std::string bytes = Encode(sample_);
  EXPECT_FALSE(Decode(kind(), bytes + '\0').ok());
  ++bytes[0];
  EXPECT_FALSE(Decode(kind(), bytes).ok());
}

TEST_P(CodecOfEveryKind, DamagedBytesNeverCrashAndWhatIsReadReencodes) {
  const std::string bytes = Encode(sample_);
  constexpr std::uint64_t kSeed = 20260105;
  std::mt19937_64 random(kSeed + GetParam());
  for (int round = 0; round < 3000; ++round) {
    std::string damaged = bytes;
    for (std::size_t n = 1 + random() % 4; n > 0; --n) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    const auto object = Decode(kind(), damaged);
    if (!object.ok()) continue;
    const auto again = Decode(kind(), Encode(*object));
    ASSERT_TRUE(again.ok()) << "seed " << kSeed << ", round " << round;
    ASSERT_EQ(Encode(*again), Encode(*object)) << "seed " << kSeed << ", round " << round;
  }
}

TEST_P(CodecOfEveryKind, RandomBytesNeverCrash) {
  constexpr std::uint64_t kSeed = 20260106;
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(1, kCodecVersion);
    for (std::size_t n = random() % 64; n > 0; --n) bytes.push_back(static_cast<char>(random()));
    const auto object = Decode(kind(), bytes);
    ASSERT_TRUE(object.ok() || object.status().code() == StatusCode::kDataLoss)
        << "seed " << kSeed << ", round " << round;
  }
}

TEST(Codec, ALyingLengthCostsNoMemory) {
  // Claims 2^62 podsets, then ends.
  std::string bytes(1, kCodecVersion);
  bytes += "\x01n\x01n";                        // namespace and name
  bytes += std::string("\x00\x00\x00\x00", 4);  // uid, created, labels, annotations
  bytes += std::string("\x00", 1);              // queue
  bytes += "\xff\xff\xff\xff\xff\xff\xff\xff\x3f";
  EXPECT_FALSE(Decode(ObjectKind::kWorkload, bytes).ok());
}

TEST(Codec, RefusesUnsortedAndRepeatedMapKeys) {
  const Namespace ns = {"x", {{"a", "1"}, {"b", "2"}}};
  std::string bytes = Encode(ns);
  std::swap(bytes[bytes.find('a')], bytes[bytes.find('b')]);
  EXPECT_FALSE(Decode(ObjectKind::kNamespace, bytes).ok());
  bytes = Encode(ns);
  bytes[bytes.find('b')] = 'a';
  EXPECT_FALSE(Decode(ObjectKind::kNamespace, bytes).ok());
}

TEST(Codec, RefusesValuesOutOfRange) {
  const PriorityClass sample = {"p", 1, true};
  std::string bytes = Encode(sample);
  ASSERT_EQ(bytes.back(), '\1');
  bytes.back() = '\2';
  EXPECT_FALSE(Decode(ObjectKind::kPriorityClass, bytes).ok()) << "a bool of 2";
  bytes = std::string(1, kCodecVersion) + "\x01p";
  bytes += "\x80\x80\x80\x80\x10";  // 2^32, zigzag of 2^31: beyond int32
  bytes += '\1';
  EXPECT_FALSE(Decode(ObjectKind::kPriorityClass, bytes).ok()) << "a wide int32";
  bytes = std::string(1, kCodecVersion) + "\x01p" + "\x82" + std::string(1, '\0') + '\1';
  EXPECT_FALSE(Decode(ObjectKind::kPriorityClass, bytes).ok()) << "a padded number";
}

TEST(Codec, RefusesUnknownEnumValues) {
  ClusterQueue queue;
  queue.deletion = 0;  // one byte long now; four more of one byte follow it
  std::string bytes = Encode(queue);
  char& stop_policy = bytes[bytes.size() - 6];
  stop_policy = '\3';  // it has three values
  EXPECT_FALSE(Decode(ObjectKind::kClusterQueue, bytes).ok());
  stop_policy = '\2';
  EXPECT_TRUE(Decode(ObjectKind::kClusterQueue, bytes).ok());
}

/// `object` as version 3 encoded it, without the bytes of the fields that came later.
std::string EncodedBefore(const Object& object, std::size_t later) {
  std::string bytes = Encode(object);
  bytes.front() = '\3';
  bytes.resize(bytes.size() - later);
  return bytes;
}

TEST(Codec, ReadsWhatTheVersionBeforeWrote) {
  ClusterQueue queue;
  queue.name = "q";
  Cohort cohort;
  cohort.parent = "all";
  EngineConfiguration engine;
  engine.heads_per_cycle = 7;
  Configuration config;
  config.fair_sharing.emplace();
  const std::vector<std::pair<Object, std::size_t>> samples = {
      {queue, 4}, {cohort, 1}, {engine, 2}, {config, 5}, {Namespace{"n", {}}, 0}};
  for (const auto& [object, later] : samples) {
    const auto read = Decode(KindOf(object), EncodedBefore(object, later));
    ASSERT_TRUE(read.ok()) << KindName(KindOf(object)) << ": " << read.status().message();
    EXPECT_EQ(*read, object);
  }
}

TEST(Codec, RefusesVersionsItDoesNotKnow) {
  std::string bytes = Encode(Namespace{"n", {}});
  for (const char version : {'\0', '\2', static_cast<char>(kCodecVersion + 1), '\xff'}) {
    bytes.front() = version;
    EXPECT_FALSE(Decode(ObjectKind::kNamespace, bytes).ok()) << static_cast<int>(version);
  }
}

TEST(Codec, ExtremeQuantitiesSurvive) {
  RuntimeClass sample = {"r", {}};
  int i = 0;
  for (const char* text : {"0", "1n", "-1n", "8Ei", "-8Ei", "9223372036854775806.999999999", "1m",
                           "9223372036854775.807", "-0.5", "123456789.123456789"}) {
    sample.overhead["q" + std::to_string(i++)] = SampleQuantity(text);
  }
  const auto back = Decode(ObjectKind::kRuntimeClass, Encode(sample));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(std::get<RuntimeClass>(*back), sample);
}

TEST(Codec, APlainWorkloadIsSmall) {
  Workload w;
  w.key = {"team-a", "job-000001"};
  w.queue = "jobs";
  w.created = 1'767'268'800'000'000'000;
  w.pod_sets.resize(1);
  w.pod_sets[0].name = "main";
  w.pod_sets[0].pods.containers = {{"c", {{"cpu", SampleQuantity("1")}}, {}, false}};
  EXPECT_LT(Encode(w).size(), 100u);
}

// ---- fields ------------------------------------------------------------------------------------

/// Converts to every type, on paper: counts how many members an aggregate can be given. Not to a
/// view, of which a Text could be made: it would be one in two ways.
struct Anything {
  template <typename T>
  requires(!std::same_as<T, std::string_view>) operator T() const { std::abort(); }
};

template <typename T, typename... Members>
constexpr std::size_t CountMembers() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return CountMembers<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

struct FieldCounter {
  std::size_t count = 0;
  template <typename T>
  void operator()(const char*, const T&) {
    ++count;
  }
};

template <typename T>
void ExpectAllFields(const char* name) {
  FieldCounter counter;
  const T object{};
  VisitFields(counter, object);
  EXPECT_EQ(counter.count, CountMembers<T>()) << name << " has a member that fields.h forgets";
}

#define EXPECT_ALL_FIELDS(type) ExpectAllFields<type>(#type)

TEST(Fields, EveryMemberOfEveryStructIsListed) {
  EXPECT_ALL_FIELDS(Key);
  EXPECT_ALL_FIELDS(SelectorRequirement);
  EXPECT_ALL_FIELDS(LabelSelector);
  EXPECT_ALL_FIELDS(Taint);
  EXPECT_ALL_FIELDS(Toleration);
  EXPECT_ALL_FIELDS(ResourceQuota);
  EXPECT_ALL_FIELDS(FlavorQuotas);
  EXPECT_ALL_FIELDS(ResourceGroup);
  EXPECT_ALL_FIELDS(ResourceFlavor);
  EXPECT_ALL_FIELDS(FlavorFungibility);
  EXPECT_ALL_FIELDS(PreemptionRules);
  EXPECT_ALL_FIELDS(AdmissionCheckRule);
  EXPECT_ALL_FIELDS(ClusterQueue);
  EXPECT_ALL_FIELDS(Cohort);
  EXPECT_ALL_FIELDS(FairSharingHistory);
  EXPECT_ALL_FIELDS(LocalQueue);
  EXPECT_ALL_FIELDS(WorkloadPriorityClass);
  EXPECT_ALL_FIELDS(PriorityClass);
  EXPECT_ALL_FIELDS(Namespace);
  EXPECT_ALL_FIELDS(LimitRangeItem);
  EXPECT_ALL_FIELDS(LimitRange);
  EXPECT_ALL_FIELDS(RuntimeClass);
  EXPECT_ALL_FIELDS(AdmissionCheck);
  EXPECT_ALL_FIELDS(Topology);
  EXPECT_ALL_FIELDS(Node);
  EXPECT_ALL_FIELDS(Pod);
  EXPECT_ALL_FIELDS(ResourceTransformation);
  EXPECT_ALL_FIELDS(FairSharingConfig);
  EXPECT_ALL_FIELDS(AdmissionFairSharingConfig);
  EXPECT_ALL_FIELDS(WaitForPodsReadyConfig);
  EXPECT_ALL_FIELDS(Configuration);
  EXPECT_ALL_FIELDS(EngineConfiguration);
  EXPECT_ALL_FIELDS(PolicyBinding);
  EXPECT_ALL_FIELDS(Container);
  EXPECT_ALL_FIELDS(NodeSelectorTerm);
  EXPECT_ALL_FIELDS(PodTemplate);
  EXPECT_ALL_FIELDS(SliceLayer);
  EXPECT_ALL_FIELDS(TopologyRequest);
  EXPECT_ALL_FIELDS(PodSet);
  EXPECT_ALL_FIELDS(TopologyDomain);
  EXPECT_ALL_FIELDS(TopologyAssignment);
  EXPECT_ALL_FIELDS(PodSetAssignment);
  EXPECT_ALL_FIELDS(Admission);
  EXPECT_ALL_FIELDS(Condition);
  EXPECT_ALL_FIELDS(PodSetUpdate);
  EXPECT_ALL_FIELDS(AdmissionCheckStatus);
  EXPECT_ALL_FIELDS(RequeueState);
  EXPECT_ALL_FIELDS(ReclaimablePods);
  EXPECT_ALL_FIELDS(WorkloadStatus);
  EXPECT_ALL_FIELDS(Workload);
}

// ---- JSON --------------------------------------------------------------------------------------

TEST(CanonicalJson, LeavesOutWhatIsUnset) {
  EXPECT_EQ(ToCanonicalJson(WorkloadPriorityClass{"high", 100, ""}),
            R"({"name":"high","value":100})");
  LocalQueue queue;
  queue.key = {"team-a", "jobs"};
  queue.cluster_queue = "cq";
  EXPECT_EQ(ToCanonicalJson(queue),
            R"({"key":{"namespace":"team-a","name":"jobs"},"cluster_queue":"cq",)"
            R"("stop_policy":"None","fair_weight":1})");
}

TEST(CanonicalJson, TellsAnEmptySelectorFromNone) {
  ClusterQueue queue;
  queue.name = "cq";
  EXPECT_EQ(ToCanonicalJson(queue).find("namespace_selector"), std::string::npos);
  queue.namespace_selector.emplace();
  EXPECT_NE(ToCanonicalJson(queue).find(R"("namespace_selector":{})"), std::string::npos);
}

TEST(CanonicalJson, WritesQuantitiesCanonicallyAndEscapes) {
  const std::string json = ToCanonicalJson(SampleWorkload());
  EXPECT_NE(json.find(R"("cpu":"1500m","memory":"1Gi")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("note":"text with \"quotes\" and \n lines")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("state":"Retry")"), std::string::npos) << json;
}

}  // namespace
}  // namespace muster
