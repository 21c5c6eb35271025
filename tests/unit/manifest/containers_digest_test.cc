// Images, commands and what else of containers is compared by a digest.
#include "bindings/manifest/containers_digest.h"

#include <gmock/gmock.h>

#include <string>

#include "bindings/manifest/plain.h"
#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string DigestOf(const std::string& containers) {
  const PlainDocuments read = ParsePlain("{spec: {containers: " + containers + "}}", "f");
  objects::JobPodSet set;
  set.name = "main";
  set.pod_template = read.documents.front();
  return ContainersDigest({&set, 1});
}

/// An object whose only container has `more`.
std::string With(std::string object, const std::string& more) {
  const std::string mark = "containers: [{name: c, ";
  return object.replace(object.find(mark), mark.size(), mark + more + ", ");
}

TEST(ContainersDigest, TellsContainersApartByWhatIsNotKept) {
  const std::string one = DigestOf("[{name: c, image: a}]");
  EXPECT_THAT(one, HasSubstr("main="));
  for (const char* other :
       {"[{name: c, image: b}]", "[{name: c, image: a, command: [x]}]",
        "[{name: c, image: a, env: [{name: X, value: y}]}]",
        "[{name: c, image: a, imagePullPolicy: Never}]", "[{name: c, image: a}, {name: d}]"}) {
    EXPECT_NE(DigestOf(other), one) << other;
  }
}

TEST(ContainersDigest, MindsNoOrderOfFieldsAndNothingThatTheWorkloadKeeps) {
  EXPECT_EQ(DigestOf("[{name: c, image: a, command: [x]}]"),
            DigestOf("[{command: [x], image: a, name: c, resources: {requests: {cpu: 3}}}]"));
  EXPECT_EQ(DigestOf("[{name: c, resources: {requests: {cpu: 3}}}]"), "");
}

TEST(ContainersDigest, MindsNothingThatAnApiServerFillsIn) {
  EXPECT_EQ(DigestOf("[{name: c, image: a, ports: [{containerPort: 80}], env: [{name: X, "
                     "valueFrom: {fieldRef: {fieldPath: p}}}], readinessProbe: {httpGet: {port: "
                     "80}}}]"),
            DigestOf("[{name: c, image: a, imagePullPolicy: Always, securityContext: {}, "
                     "terminationMessagePath: /dev/termination-log, terminationMessagePolicy: "
                     "File, ports: [{containerPort: 80, protocol: TCP}], env: [{name: X, "
                     "valueFrom: {fieldRef: {apiVersion: v1, fieldPath: p}}}], readinessProbe: "
                     "{httpGet: {port: 80, scheme: HTTP}, timeoutSeconds: 1, periodSeconds: 10, "
                     "successThreshold: 1, failureThreshold: 3}, volumeMounts: [{name: k, "
                     "mountPath: /var/run/secrets/kubernetes.io/serviceaccount}]}]"));
  EXPECT_EQ(DigestOf("[{name: c, image: 'r:80/a:v1'}]"),
            DigestOf("[{name: c, image: 'r:80/a:v1', imagePullPolicy: IfNotPresent}]"));
}

TEST(ContainersDigest, NamesThePodSetThatDiffers) {
  EXPECT_EQ(OtherContainers("a=1,b=2", "a=1,b=3"), "b");
  EXPECT_EQ(OtherContainers("a=1,b=2", "b=2,a=1"), "");
  EXPECT_EQ(OtherContainers("", "a=1"), "") << "of an earlier version";
}

TEST_F(Settled, AChangedImageIsAnotherJobOnceItHoldsQuota) {
  for (const std::string& object : {BatchJobText(), SetText()}) {
    engine_ = Engine();
    EXPECT_THAT(Apply(std::string(kSettledRoom) + With(object, "image: a")), IsEmpty());
    EXPECT_THAT(Apply(With(object, "image: b")), IsEmpty()) << "it waits";
    Admit();
    EXPECT_THAT(Apply(With(object, "image: b")), IsEmpty()) << "the same again";
    EXPECT_THAT(Apply(With(object, "image: c")),
                ElementsAre(AllOf(HasSubstr("the containers of \""),
                                  HasSubstr("may not change while quota is reserved"))));
    const Key key{"default", Names().front()};
    const Source source{"f.yaml", With(object, "image: c")};
    EXPECT_THAT(std::string(StartObjects(engine_, key, {&source, 1}).status().message()),
                HasSubstr("with another image"));
    EXPECT_TRUE(engine_.Finish({&key, 1}, false, testing::kNoon).ok());
    EXPECT_THAT(Apply(With(object, "image: c")), ElementsAre(HasSubstr("has ended")));
    EXPECT_THAT(Apply(With(object, "image: b")), IsEmpty());
  }
}

TEST_F(Settled, AJobOfAnEarlierVersionTakesTheImageThatItIsGiven) {
  EXPECT_THAT(Apply(BatchJobText()), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(With(BatchJobText(), "image: a")), IsEmpty());
  EXPECT_THAT(Apply(With(BatchJobText(), "image: b")), Not(IsEmpty()));
}

}  // namespace
}  // namespace muster::manifest
