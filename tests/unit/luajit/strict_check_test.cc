// What `policy check` refuses and a package that decided before may have: questions that always
// have the same answer, resources that none can be, `every` of nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bindings/luajit/policy_package.h"
#include "tests/unit/luajit/policy_batch.h"

namespace muster::luajit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PackageSource StrictOrder(const std::string& body, const std::string& more = "") {
  return SourceOf("return{api=1,name='x',labels={'big'}," + more +
                  "accounts={had={by='user',of='running'}},\nqueue_order={reads={'account'}," +
                  "function(w,c) " + body + " end}}");
}

std::vector<std::string> Check(const PackageSource& source) {
  std::vector<std::string> texts;
  for (const PackageProblem& problem : CheckPackage(source)) texts.push_back(problem.ToString());
  return texts;
}

void IsRefused(const std::string& body, const std::string& why) {
  EXPECT_THAT(Check(StrictOrder(body)), ElementsAre(HasSubstr(why))) << body;
  EXPECT_TRUE(LoadPackage(StrictOrder(body), {}, PackageAge::kStored).ok()) << body;
}

TEST(StrictCheck, ALabelIsAlwaysTrue) {
  const std::string why =
      "label 'big' is a text, \"\" where a job lacks it, and always true; "
      "compare it with \"\"";
  for (const char* body :
       {"if not w.label.big then return 1 end return 0",
        "if w.label.big then return 1 end return 0", "return w.label.big and 1 or 0",
        "local big = w.label.big or 'none' return big == 'none' and 1 or 0",
        "local big = w.label.big if w.gpus > 1 and not big then return 1 end "
        "return 0",
        "local l = w.label while not l.big do return 1 end return 0"}) {
    IsRefused(body, why);
  }
}

TEST(StrictCheck, SoAreNumbers) {
  IsRefused("if w.preemptions then return 1 end return 0",
            "'preemptions' is always true, whatever it holds; compare it with a value, as in > 0");
  IsRefused("return w.account.had and 1 or 0", "'had' is always true");
  IsRefused("return w.request and 1 or 0", "'request' is always true, whatever it holds; name a");
  IsRefused("return w.namespace and 1 or 0", "whatever it holds; compare it with \"\"");
}

TEST(StrictCheck, AFieldIsNeverNil) {
  IsRefused("return w.label.big == nil and 1 or 0",
            "label 'big' is never nil; compare it with \"\"");
  IsRefused("local b = w.label.big if b ~= nil then return 1 end return 0",
            "label 'big' is never nil");
  IsRefused("return w.gpus ~= nil and 1 or 0", "'gpus' is never nil; compare it with a value");
  IsRefused("return nil == w.account.had and 1 or 0", "'had' is never nil");
}

TEST(StrictCheck, WhatToWriteForNilIsOfTheFieldsKind) {
  IsRefused("return w.request == nil and 1 or 0", "'request' is never nil; name a field of it");
  IsRefused("return w.label ~= nil and 1 or 0", "'label' is never nil; name a field of it");
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(v) "
                             "return v.borrowing == nil and 1 or 0 end}")),
              ElementsAre(HasSubstr("'borrowing' is never nil; ask it itself, as in not "
                                    "v.borrowing")));
}

PackageSource Helper(const std::string& helper, const std::string& answer) {
  return SourceOf("local function pick(t) " + helper +
                  " end return{api=1,name='x',victim=function(v) return " + answer + " end}");
}

TEST(StrictCheck, AFlavorIsATextInAHelperToo) {
  EXPECT_THAT(Check(Helper("return t.cpu == 'spot' and 0 or 1", "pick(v.flavor)")), IsEmpty());
  EXPECT_THAT(Check(Helper("return t.cpu == 0 and 0 or 1", "pick(v.flavor)")),
              ElementsAre(HasSubstr("'cpu' is a text, and never equal to a number")));
}

TEST(StrictCheck, AmountsAreNumbersByWhateverName) {
  const auto amounts = [](const std::string& with) {
    return SourceOf("local function left(flavor) return flavor.cpu == " + with +
                    " and 0 or 1 end return{api=1,name='x',flavor_order={reads={'free'},"
                    "function(w,f) return left(f.free) end}}");
  };
  EXPECT_THAT(Check(amounts("0")), IsEmpty());
  EXPECT_THAT(Check(amounts("'0'")), ElementsAre(HasSubstr("'cpu' is a number")));
}

TEST(StrictCheck, AHelperMayAskWhatATableOfThePackageHas) {
  for (const char* helper :
       {"if t.gpus == nil then return 1 end return 0", "if t.gpus then return 1 end return 0",
        "local all = t return all.gpus ~= nil and 1 or 0"}) {
    EXPECT_THAT(Check(Helper(helper, "pick(v)")), ElementsAre(HasSubstr("'gpus' is "))) << helper;
    for (const char* answer : {"pick(v) + pick({})", "pick(v) + pick({gpus=1})",
                               "pick(v) + math.max(unpack({pick({})}))"}) {
      EXPECT_THAT(Check(Helper(helper, answer)), IsEmpty()) << helper << answer;
    }
  }
  EXPECT_THAT(Check(SourceOf("local function pick(t) return t.gpus and 1 or 0 end "
                             "local function twice(f, t) return f(t) + f({}) end "
                             "return{api=1,name='x',victim=function(v) "
                             "return pick(v) + twice(pick, {}) end}")),
              IsEmpty());
  EXPECT_THAT(Check(SourceOf("local function pick(t) return t.gpus and 1 or 0 end "
                             "local function by(t) return pick(t) end local other = by "
                             "return{api=1,name='x',victim=function(v) "
                             "return by(v) + other({}) end}")),
              IsEmpty());
}

TEST(StrictCheck, ATableOfThePackageHasAnyResource) {
  EXPECT_THAT(Check(Helper("local r = t.request return r.gpu or 0",
                           "pick({request={gpu=v.gpus}}) + (v.gpus < 0 and pick(v) or 0)")),
              IsEmpty());
}

TEST(StrictCheck, ATextIsNeverEqualToANumber) {
  IsRefused("return w.label.big == 5 and 1 or 0",
            "label 'big' is a text, and never equal to a number; write the number as a text");
  IsRefused("return w.priority == 'high' and 1 or 0",
            "'priority' is a number, and never equal to a text; compare it with a number");
  IsRefused("return 7 ~= w.namespace and 1 or 0", "'namespace' is a text");
  IsRefused("return w.request.cpu == '1' and 1 or 0", "'cpu' is a number");
}

TEST(StrictCheck, WhatCanBeEqualMayBeCompared) {
  EXPECT_THAT(
      Check(StrictOrder("return w.label.big == '5' and w.priority == 5 and w.name ~= 'x' "
                        "and tonumber(w.label.big) ~= nil and c.params.on == true and 1 or 0",
                        "params={on={type='boolean',default=false}},")),
      IsEmpty());
  EXPECT_THAT(
      Check(StrictOrder("local t = c.params.tickets[w.namespace] return t == nil and 1 or t",
                        "params={tickets={type='map',of='number',default={}}},")),
      IsEmpty());
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(v) return v.borrowing == true "
                             "and v.flavor.cpu == 'spot' and 1 or 0 end}")),
              IsEmpty());
}

TEST(StrictCheck, AUsualNameStandsInItsPlace) {
  const PackageSource domains =
      SourceOf("return{api=1,name='x',domain_order=function(w, d, c) return w.gpus end}");
  EXPECT_THAT(Check(domains),
              ElementsAre(HasSubstr("domain_order is called with (d, w, c), and its function takes "
                                    "(w, d, c); write function(d, w, c), or other names")));
  EXPECT_TRUE(LoadPackage(domains, {}, PackageAge::kStored).ok());
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(p, v) return p.gpus end}")),
              ElementsAre(HasSubstr("victim is called with (v, p, c)")));
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(w, _) return w.gpus end,"
                             "flavor_order=function(job, flavor) return flavor.index end}")),
              IsEmpty());
}

TEST(StrictCheck, AUsualNameAloneMayMeanSomethingElse) {
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',share=function(c) return c.weight end}")),
              IsEmpty());
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(p) return p.gpus end}")),
              IsEmpty());
}

TEST(StrictCheck, AKeyIsWrittenOnce) {
  const PackageSource twice = SourceOf(
      "return{api=1,name='x',queue_order=function(w) return w.gpus end,\n"
      "queue_order=function(w) return -w.gpus end}");
  EXPECT_THAT(Check(twice),
              ElementsAre(HasSubstr(":2:1: key 'queue_order' is written twice, first in line 1; "
                                    "remove one of them")));
  EXPECT_TRUE(LoadPackage(twice, {}, PackageAge::kStored).ok());
}

TEST(StrictCheck, ALabelThatIsAKeyIsNotMisspelt) {
  const PackageSource misspelt = SourceOf(
      "return{api=1,name='x',labels={'team'},accounts={a={by={'user','label:taem'},of='running'}},"
      "\nvictim={per='label:teams',reads={'account'},function(v) return 1, 1, v.account.a end}}");
  EXPECT_THAT(Check(misspelt),
              ElementsAre(HasSubstr("label 'taem' is not declared; did you mean 'team'?"),
                          HasSubstr(":2:9: label 'teams' is not declared; did you mean 'team'?")));
  EXPECT_TRUE(LoadPackage(misspelt, {}, PackageAge::kStored).ok());
  for (const char* labels : {"tier project", "tier user", "gpu cpu", "project product"}) {
    const std::string both = labels, declared = both.substr(0, both.find(' '));
    const std::string key = "'label:" + both.substr(both.find(' ') + 1) + "'";
    EXPECT_THAT(Check(SourceOf("return{api=1,name='x',labels={'" + declared +
                               "'},accounts={a={by=" + key + ",of='running'}},victim={per=" + key +
                               ",reads={'account'},function(v) return 1, v.account.a, 3 end}}")),
                IsEmpty())
        << labels;
  }
}

TEST(StrictCheck, WhatMayBeFalseIsNot) {
  EXPECT_THAT(Check(StrictOrder("if c.params.on then return 1 end return c.params.on and 1 or 0",
                                "params={on={type='boolean',default=false}},")),
              IsEmpty());
  EXPECT_THAT(Check(StrictOrder("local first = w.label.big == '' or w.gpus > 1 "
                                "return first and 1 or 0, tonumber(w.label.big) or 1")),
              IsEmpty());
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',victim=function(v) "
                             "if v.borrowing or not v.same_queue then return 1 end return 0 end}")),
              IsEmpty());
  EXPECT_THAT(Check(StrictOrder("local t = c.params.tickets[w.namespace] or 1 return t",
                                "params={tickets={type='map',of='number',default={}}},")),
              IsEmpty());
}

TEST(StrictCheck, NoResourceIsJustAGpu) {
  const std::string why =
      "there is no resource 'gpu'; resources are cpu, memory, ... or have a "
      "domain, as in [\"nvidia.com/gpu\"]";
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',flavor_order={reads={'free'},"
                             "function(w,f) return f.free.gpu end}}")),
              ElementsAre(HasSubstr(why)));
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',share={reads={'usage'},function(n,c) "
                             "local used = n.usage return used.gpu end}}")),
              ElementsAre(HasSubstr(why)));
}

TEST(StrictCheck, AnAccountOfGpusNamesTheResource) {
  EXPECT_THAT(Check(SourceOf("return{api=1,name='x',accounts={had={by='user',of='held:gpus'}},"
                             "queue_order={reads={'account'},function(w) return w.account.had end}"
                             "}")),
              ElementsAre(HasSubstr("no resource 'gpus'; did you mean 'nvidia.com/gpu'?")));
}

TEST(StrictCheck, EveryIsOfWhatChanges) {
  const auto hold = [](const std::string& front) {
    return SourceOf("return{api=1,name='x',hold={" + front +
                    "every='1m',function(w,c) return nil end}}");
  };
  EXPECT_THAT(Check(hold("")), ElementsAre(HasSubstr("hold has every and reads nothing that "
                                                     "changes by itself; remove every, or declare "
                                                     "reads = {\"now\"}")));
  EXPECT_TRUE(LoadPackage(hold(""), {}, PackageAge::kStored).ok());
  EXPECT_THAT(Check(hold("reads={'now'},")), IsEmpty());
}

TEST(StrictCheck, ABudgetHasThreeNumbers) {
  const auto victim = [](const std::string& body) {
    return SourceOf("return{api=1,name='x',victim={per='user',function(v) " + body + " end}}");
  };
  EXPECT_THAT(Check(victim("return 1, 1, 1, 1")),
              ElementsAre(HasSubstr("victim returns 4 keys; return one number, or with per three: "
                                    "the cost, what it spends and what is left")));
  EXPECT_THAT(Check(victim("if v.gpus > 1 then return 1, 1, 1 end return 1")),
              ElementsAre(HasSubstr("victim returns 1 key here and 3 in line 1")));
}

TEST(StrictCheck, ComparingATextSaysWhatToWrite) {
  EXPECT_THAT(Check(StrictOrder("return w.queued_at > '36h' and 1 or 0")),
              ElementsAre(HasSubstr("times are numbers of seconds")));
  EXPECT_THAT(Check(StrictOrder("return tonumber(w.label.big) > 1 and 1 or 0")),
              ElementsAre(HasSubstr("write tonumber(s) or 0")));
}

}  // namespace
}  // namespace muster::luajit::testing
