#include "db/sqlite/statements.h"

#include <sqlite3.h>

namespace muster {
namespace {

constexpr const char* kDoing = "read or write its rows";

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<Statement> Statement::Prepare(const Connection& connection, const std::string& sql) {
  sqlite3_stmt* raw = nullptr;
  const int code =
      sqlite3_prepare_v3(connection.handle(), sql.c_str(), static_cast<int>(sql.size()) + 1,
                         SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return connection.Error(code, kDoing);
  Statement statement(connection);
  statement.statement_.reset(raw);
  return statement;
}

void Statement::Note(int code) {
  if (failure_ == SQLITE_OK) failure_ = code;
}

void Statement::Bind(std::int64_t value) {
  Note(sqlite3_bind_int64(statement_.get(), ++bound_, value));
}

void Statement::BindText(std::string_view text) {
  const char* bytes = text.data() == nullptr ? "" : text.data();
  Note(sqlite3_bind_text64(statement_.get(), ++bound_, bytes, text.size(), SQLITE_STATIC,
                           SQLITE_UTF8));
}

void Statement::BindBlob(std::string_view bytes) {
  if (bytes.empty()) {
    Note(sqlite3_bind_zeroblob(statement_.get(), ++bound_, 0));
  } else {
    Note(
        sqlite3_bind_blob64(statement_.get(), ++bound_, bytes.data(), bytes.size(), SQLITE_STATIC));
  }
}

void Statement::BindNull() { Note(sqlite3_bind_null(statement_.get(), ++bound_)); }

void Statement::BindTime(TimeNs time) {
  if (time == kNoTime) {
    BindNull();
  } else {
    Bind(time);
  }
}

Result<bool> Statement::Step() {
  const int code = failure_ != SQLITE_OK ? failure_ : sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return connection_->Error(code, kDoing);
}

Status Statement::Execute() {
  Result<bool> row = Step();
  Reset();
  return row.ok() ? Status::Ok() : row.status();
}

void Statement::Reset() {
  sqlite3_reset(statement_.get());
  bound_ = 0;
  failure_ = SQLITE_OK;
}

std::int64_t Statement::Number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

// By way of the column's value: asking for a column costs more than reading it.
std::string_view Statement::Text(int column) const {
  sqlite3_value* value = sqlite3_column_value(statement_.get(), column);
  // As a blob: the same bytes, and no copy that could run out of memory.
  const void* bytes = sqlite3_value_blob(value);
  return bytes == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(bytes),
                                             static_cast<std::size_t>(sqlite3_value_bytes(value)));
}

TimeNs Statement::Time(int column) const {
  sqlite3_value* value = sqlite3_column_value(statement_.get(), column);
  return sqlite3_value_type(value) == SQLITE_NULL ? kNoTime : sqlite3_value_int64(value);
}

}  // namespace muster
