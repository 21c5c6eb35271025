// What is asked of a service says exactly what was meant.
#include "bindings/remote/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::remote {
namespace {

using ::testing::HasSubstr;

TEST(Target, AnyTextIsOneSegmentOrValue) {
  EXPECT_EQ(Target({"v1", "workloads", "team-a", "job-x.1"}), "/v1/workloads/team-a/job-x.1");
  EXPECT_EQ(Target({"v1", "a/b", "../c?d#e"}), "/v1/a%2Fb/..%2Fc%3Fd%23e");
  EXPECT_EQ(Target({"v1"}, {{"name", "a&b=c d"}, {"state", "pending,parked"}}),
            "/v1?name=a%26b%3Dc%20d&state=pending,parked");
  EXPECT_EQ(Target({"\xC3\xA9\n"}), "/%C3%A9%0A");
}

TEST(Target, ParametersWithoutValueAreLeftOut) {
  EXPECT_EQ(Target({"v1"}, {{"a", ""}, {"b", "1"}, {"c", ""}}), "/v1?b=1");
  EXPECT_EQ(Target({"v1"}, {{"a", ""}}), "/v1");
}

TEST(ClientTo, TakesAddressesOfServices) {
  for (const char* url : {"http://127.0.0.1:8484", "https://muster.example", "http://[::1]:8484",
                          "https://[::1]", "http://localhost:8484/"}) {
    const Result<Client> client = Client::To(url, "");
    ASSERT_TRUE(client.ok()) << url << client.status().message();
    EXPECT_FALSE(client->url().ends_with('/'));
  }
}

TEST(ClientTo, RefusesWhatIsNoneAndSaysWhatToWrite) {
  for (const char* url :
       {"", "127.0.0.1:8484", "ftp://x", "http://", "https://:1", "http://x:", "http://x:port",
        "http://x:123456", "http://::1", "http://x/path", "http://a@b", "http://x y"}) {
    const Result<Client> client = Client::To(url, "");
    ASSERT_FALSE(client.ok()) << url;
    EXPECT_THAT(client.status().message(), HasSubstr("http://127.0.0.1:8484"));
  }
}

TEST(ClientTo, RefusesTokensThatWouldEndTheirField) {
  EXPECT_TRUE(Client::To("http://x", "muster_abc-_").ok());
  for (const char* token : {"a b", "a\r\nX: y", "a\n", "\x7f", "\xC3\xA9"}) {
    EXPECT_FALSE(Client::To("http://x", token).ok());
  }
}

}  // namespace
}  // namespace muster::remote
