// Values go in the binary format, so that bytes need no escaping and numbers no parsing.
#include "db/postgres/connection.h"

#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <thread>
#include <utility>

namespace muster {
namespace {

// Type numbers of PostgreSQL's catalog.
constexpr Oid kByteaType = 17;
constexpr Oid kInt8Type = 20;
constexpr Oid kTextType = 25;

constexpr int kOldestServer = 130'000;
constexpr std::chrono::milliseconds kBetweenOpenings{20};

/// What is not left to the settings of a server or a user.
constexpr const char* kSettings =
    "SET statement_timeout = 0; SET lock_timeout = 0; "
    "SET idle_in_transaction_session_timeout = 0; "
    "SET default_transaction_isolation = 'read committed'; SET client_min_messages = warning; "
    // The server ends what a machine that is gone has begun.
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3";

std::string Trimmed(const char* message) {
  std::string text = message == nullptr ? "" : message;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

std::array<char, 8> NetworkOrder(std::int64_t value) {
  std::array<char, 8> bytes{};
  auto rest = static_cast<std::uint64_t>(value);
  for (std::size_t i = bytes.size(); i-- > 0; rest >>= 8) bytes[i] = static_cast<char>(rest & 0xff);
  return bytes;
}

Status CheckSizes(std::span<const PgValue> values) {
  for (const PgValue& value : values) {
    const auto* bytes = std::get_if<PgBytes>(&value);
    if (bytes != nullptr && bytes->bytes.size() > (std::size_t{1} << 30)) {
      return {StatusCode::kUnavailable, "a group of commits is larger than 1 GiB"};
    }
  }
  return Status::Ok();
}

/// Whether the URL, the environment or a service file says so.
bool IsSaid(const PQconninfoOption* options, std::string_view keyword) {
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->keyword == keyword) return option->val != nullptr && *option->val != '\0';
  }
  return false;
}

/// Where nothing else is said, a server whose machine is gone is given up within seconds; the
/// system would wait for a quarter of an hour. A socket of this machine has no such settings.
void NoticeLostMachines(PGconn* handle) {
  constexpr int kUnacknowledgedMs = 10'000;
  constexpr int kIdleSeconds = 5;
  constexpr int kBetweenProbes = 2;
  constexpr int kProbes = 3;
  PQconninfoOption* const options = PQconninfo(handle);
  if (options == nullptr) return;
  const auto set = [&](const char* keyword, int name, int value) {
    if (IsSaid(options, keyword)) return;
    (void)setsockopt(PQsocket(handle), IPPROTO_TCP, name, &value, sizeof(value));
  };
  set("tcp_user_timeout", TCP_USER_TIMEOUT, kUnacknowledgedMs);
  set("keepalives_idle", TCP_KEEPIDLE, kIdleSeconds);
  set("keepalives_interval", TCP_KEEPINTVL, kBetweenProbes);
  set("keepalives_count", TCP_KEEPCNT, kProbes);
  PQconninfoFree(options);
}

}  // namespace

/// The values of a statement as libpq wants them.
struct PgParameters {
  std::vector<Oid> types;
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  std::vector<std::array<char, 8>> numbers;

  explicit PgParameters(std::span<const PgValue> given) {
    numbers.reserve(given.size());
    for (const PgValue& value : given) {
      if (const auto* number = std::get_if<std::int64_t>(&value)) {
        numbers.push_back(NetworkOrder(*number));
        Add(kInt8Type, {numbers.back().data(), numbers.back().size()});
      } else if (const auto* text = std::get_if<std::string_view>(&value)) {
        Add(kTextType, *text);
      } else {
        Add(kByteaType, std::get<PgBytes>(value).bytes);
      }
    }
  }

  void Add(Oid type, std::string_view bytes) {
    types.push_back(type);
    values.push_back(bytes.data() == nullptr ? "" : bytes.data());
    lengths.push_back(static_cast<int>(bytes.size()));
    formats.push_back(1);
  }
};

void PgRows::Clear::operator()(pg_result* result) const { PQclear(result); }
int PgRows::size() const { return PQntuples(result_.get()); }

std::int64_t PgRows::affected() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

std::int64_t PgRows::Number(int row, int column) const {
  std::uint64_t value = 0;
  for (const char c : Text(row, column)) value = value << 8 | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(value);
}

std::string_view PgRows::Text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

bool PgRows::IsNull(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) == 1;
}

void PgConnection::Finish::operator()(pg_conn* connection) const { PQfinish(connection); }

bool PgConnection::CanRead(const std::string& url) {
  PQconninfoOption* const options = PQconninfoParse(url.c_str(), nullptr);
  if (options == nullptr) return false;
  bool readable = true;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    // It is read when it is connected to; it may be half a password, as in user:pass/word@host.
    if (option->val == nullptr || std::string_view(option->keyword) != "port") continue;
    readable = std::string_view(option->val).find_first_not_of("0123456789,") == std::string::npos;
  }
  PQconninfoFree(options);
  return readable;
}

Result<PgConnection> PgConnection::Open(const std::string& url) {
  PgConnection connection(PQconnectdb(url.c_str()));
  if (connection.connection_ == nullptr) return Status::OutOfMemory();
  PGconn* const handle = connection.connection_.get();
  if (PQstatus(handle) != CONNECTION_OK) {
    return Status(StatusCode::kUnavailable,
                  "no connection to PostgreSQL: " + Trimmed(PQerrorMessage(handle)));
  }
  if (PQserverVersion(handle) < kOldestServer) {
    return Status(StatusCode::kFailedPrecondition,
                  "PostgreSQL 13 or newer is needed, this is version " +
                      std::to_string(PQserverVersion(handle) / 10'000));
  }
  NoticeLostMachines(handle);
  if (Status status = connection.RunScript(kSettings); !status.ok()) return status;
  return connection;
}

Result<PgConnection> PgConnection::OpenWithin(const std::string& url,
                                              std::chrono::milliseconds within) {
  const auto until = std::chrono::steady_clock::now() + within;
  while (true) {
    Result<PgConnection> opened = Open(url);
    if (opened.ok() || std::chrono::steady_clock::now() >= until) return opened;
    std::this_thread::sleep_for(kBetweenOpenings);
  }
}

Result<PgRows> PgConnection::Run(const char* sql, std::span<const PgValue> values) {
  if (Status status = CheckSizes(values); !status.ok()) return status;
  const PgParameters parameters(values);
  return Answer(PgRows(PQexecParams(connection_.get(), sql, static_cast<int>(values.size()),
                                    parameters.types.data(), parameters.values.data(),
                                    parameters.lengths.data(), parameters.formats.data(), 1)));
}

Result<PgRows> PgConnection::RunOften(const char* sql, std::initializer_list<PgValue> values) {
  if (Status status = CheckSizes(values); !status.ok()) return status;
  const PgParameters parameters({values.begin(), values.size()});
  const Result<std::string> name = Prepare(sql, parameters);
  if (!name.ok()) return name.status();
  return Answer(PgRows(PQexecPrepared(connection_.get(), name->c_str(),
                                      static_cast<int>(values.size()), parameters.values.data(),
                                      parameters.lengths.data(), parameters.formats.data(), 1)));
}

Result<std::string> PgConnection::Prepare(const char* sql, const PgParameters& parameters) {
  const auto found = std::find(prepared_.begin(), prepared_.end(), sql);
  std::string name = std::to_string(found - prepared_.begin());
  if (found == prepared_.end()) {
    const PgRows made(PQprepare(connection_.get(), name.c_str(), sql,
                                static_cast<int>(parameters.types.size()),
                                parameters.types.data()));
    if (PQresultStatus(made.result_.get()) != PGRES_COMMAND_OK) return Error(made.result_.get());
    prepared_.emplace_back(sql);
  }
  return name;
}

Status PgConnection::Plan(const char* sql, std::initializer_list<PgValue> values) {
  return Prepare(sql, PgParameters({values.begin(), values.size()})).status();
}

Status PgConnection::Send(const char* sql, std::initializer_list<PgValue> values) {
  Status status = Put(sql, values, true);
  if (status.ok()) ++unanswered_;
  return status;
}

Status PgConnection::SendFirstPart(const char* sql, std::initializer_list<PgValue> values) {
  return Put(sql, values, false);
}

Status PgConnection::Put(const char* sql, std::initializer_list<PgValue> values, bool ends) {
  if (Status status = CheckSizes(values); !status.ok()) return status;
  const PgParameters parameters({values.begin(), values.size()});
  const Result<std::string> name = Prepare(sql, parameters);
  if (!name.ok()) return name.status();
  PGconn* const handle = connection_.get();
  const bool sent = PQenterPipelineMode(handle) == 1 &&
                    PQsendQueryPrepared(handle, name->c_str(), static_cast<int>(values.size()),
                                        parameters.values.data(), parameters.lengths.data(),
                                        parameters.formats.data(), 1) == 1 &&
                    (ends ? PQpipelineSync(handle) == 1 : PQflush(handle) == 0);
  return sent ? Status::Ok() : Error(nullptr);
}

Result<bool> PgConnection::Ready(int wake) {
  while (!complete_) {
    while (!broken() && PQisBusy(connection_.get()) == 0) {
      if (TakeIn()) return true;
    }
    if (broken()) return Error(nullptr);
    std::array<pollfd, 2> waits = {pollfd{PQsocket(connection_.get()), POLLIN, 0},
                                   pollfd{wake, POLLIN, 0}};
    if (poll(waits.data(), waits.size(), -1) < 0) continue;  // a signal
    if (waits[0].revents == 0) {
      std::uint64_t times = 0;
      (void)!read(wake, &times, sizeof(times));
      return false;
    }
    if (PQconsumeInput(connection_.get()) == 0) return Error(nullptr);
  }
  return true;
}

Result<PgRows> PgConnection::Next() {
  while (!complete_ && !broken()) (void)TakeIn();
  if (!complete_ || !next_) return Error(nullptr);
  complete_ = false;
  Result<PgRows> answer = *std::exchange(next_, std::nullopt);
  if (--unanswered_ == 0 && PQexitPipelineMode(connection_.get()) != 1) return Error(nullptr);
  return answer;
}

// A statement is answered before its transaction ends, which may fail still: what counts is the
// end, and the first error before it.
bool PgConnection::TakeIn() {
  PgRows rows(PQgetResult(connection_.get()));
  if (rows.result_ == nullptr) {  // it ends one answer of several, or the connection
    lost_ = lost_ || PQstatus(connection_.get()) != CONNECTION_OK;
    return false;
  }
  if (PQresultStatus(rows.result_.get()) == PGRES_PIPELINE_SYNC) return complete_ = true;
  if (next_ && !next_->ok()) return false;
  Result<PgRows> answer = Answer(std::move(rows));
  if (!next_ || !answer.ok()) next_.emplace(std::move(answer));
  return false;
}

Result<PgRows> PgConnection::Answer(PgRows rows) {
  const ExecStatusType status = PQresultStatus(rows.result_.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return rows;
  return Error(rows.result_.get());
}

Status PgConnection::RunScript(const char* sql) {
  const PgRows rows(PQexec(connection_.get(), sql));
  const ExecStatusType status = PQresultStatus(rows.result_.get());
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return Status::Ok();
  return Error(rows.result_.get());
}

Status PgConnection::Error(const pg_result* result) {
  const char* state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string code = state == nullptr ? "" : state;
  const std::string message =
      "PostgreSQL: " +
      Trimmed(result == nullptr ? PQerrorMessage(connection_.get()) : PQresultErrorMessage(result));
  // libpq's own errors have no code, and its status may lag behind them. 08: the connection; 57P:
  // the server ends it.
  if (code.empty() || code.starts_with("08") || code.starts_with("57P")) lost_ = true;
  if (code == "42P01") return {StatusCode::kNotFound, message};
  // 42: the statement is wrong. All else is of the connection, the server, its disk or its rights.
  const bool wrong = code.starts_with("42") && code != "42501";
  return {wrong ? StatusCode::kInternal : StatusCode::kUnavailable, message};
}

bool PgConnection::broken() const { return lost_ || PQstatus(connection_.get()) != CONNECTION_OK; }

}  // namespace muster
