// Pods of a group with fast admission, whose quota is for pods that are all alike, and pods of
// groups as they run.
#include <gmock/gmock.h>

#include <string>

#include "bindings/manifest/start_objects.h"
#include "tests/unit/manifest/settled.h"

namespace muster::manifest {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string FastPod(const std::string& name, const std::string& cpu = "1") {
  std::string text = PodText(name, 3, cpu);
  return text.insert(text.find("kueue.x-k8s.io/pod-group-total-count"),
                     "kueue.x-k8s.io/pod-group-fast-admission: 'true', ");
}

class OneRole : public Settled {
 protected:
  Result<std::vector<StartedObject>> Start(const std::string& text) {
    const Source source{"f.yaml", text};
    return StartObjects(engine_, {"default", "g"}, {&source, 1});
  }
};

TEST_F(OneRole, APodOfAnotherIsRefusedWhereItStands) {
  EXPECT_THAT(
      Apply(FastPod("a") + FastPod("c", "2")),
      ElementsAre(AllOf(HasSubstr("f.yaml:9:18: "), HasSubstr("Pod \"c\" asks for other"))));
  EXPECT_THAT(Names(), IsEmpty());
  EXPECT_THAT(Apply(FastPod("a")), IsEmpty());
  Admit();
  EXPECT_THAT(Apply(FastPod("c", "2")), ElementsAre(HasSubstr("cannot have the pod \"c\"")));
  EXPECT_THAT(Apply(FastPod("b")), IsEmpty());
}

TEST_F(OneRole, APodOfAnotherStopsNoStart) {
  EXPECT_THAT(Apply(FastPod("a")), IsEmpty());
  Admit();
  const auto started = Start(FastPod("a") + FastPod("b") + FastPod("c", "2"));
  ASSERT_TRUE(started.ok()) << started.status().message();
  EXPECT_THAT(*started, SizeIs(2));
  EXPECT_THAT(Start(FastPod("c", "2")).status().message(), HasSubstr("asks for other than"));
}

TEST_F(OneRole, PodsOfAGroupAsTheyRunAreTheSame) {
  EXPECT_THAT(Apply("---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata: "
                    "{name: f}\nspec: {nodeLabels: {pool: spot}, tolerations: [{key: spot, "
                    "operator: Exists}]}\n"),
              IsEmpty());
  EXPECT_THAT(Apply(PodText("a", 2) + PodText("b", 2)), IsEmpty());
  Admit();
  const auto started = Start(PodText("a", 2) + PodText("b", 2));
  ASSERT_TRUE(started.ok()) << started.status().message();
  ASSERT_THAT(*started, SizeIs(2));
  const std::string runs = "---\n" + objects::ToJson((*started)[0].object) + "\n---\n" +
                           objects::ToJson((*started)[1].object) + "\n";
  EXPECT_THAT(runs, HasSubstr("\"pool\":\"spot\""));
  const Workload before = engine_.GetWorkload({"default", "g"})->spec;
  EXPECT_THAT(Apply(runs), IsEmpty());
  EXPECT_EQ(engine_.GetWorkload({"default", "g"})->spec, before);
}

}  // namespace
}  // namespace muster::manifest
