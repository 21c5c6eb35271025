// InPostgres: a fresh database for each test, and a connection that looks into it.
#ifndef MUSTER_TESTS_FAULT_POSTGRES_IN_POSTGRES_H_
#define MUSTER_TESTS_FAULT_POSTGRES_IN_POSTGRES_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "db/postgres/connection.h"
#include "db/postgres/place.h"
#include "tests/testing/postgres_server.h"

namespace muster::testing {

class InPostgres : public ::testing::Test {
 protected:
  void SetUp() override {
    if (PostgresServer::Get() == nullptr) GTEST_SKIP() << PostgresServer::why();
    url_ = PostgresServer::Get()->FreshUrl();
    place_ = *PlaceFrom(url_);
    Result<PgConnection> opened = PgConnection::Open(place_.url);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    connection_ = std::make_unique<PgConnection>(*std::move(opened));
  }

  std::string url_;
  PgPlace place_;
  std::unique_ptr<PgConnection> connection_;
};

}  // namespace muster::testing

#endif  // MUSTER_TESTS_FAULT_POSTGRES_IN_POSTGRES_H_
