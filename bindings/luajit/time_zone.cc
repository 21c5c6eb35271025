// A file has its block twice, with times of 32 and of 64 bits; only the second is read. Behind it
// stands a rule in the form of POSIX, such as CET-1CEST,M3.5.0,M10.5.0/3.
#include "bindings/luajit/time_zone.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace muster::luajit {
namespace {

constexpr std::size_t kHeader = 44;
constexpr std::int64_t kDay = 86'400;

/// Big-endian numbers, one after the other; whatever is behind the end reads as 0.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
  bool Has(std::size_t count) const { return bytes_.size() - at_ >= count; }
  void Skip(std::size_t count) { at_ = std::min(bytes_.size(), at_ + count); }
  std::int64_t Take(std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const unsigned char byte =
          at_ + i < bytes_.size() ? static_cast<unsigned char>(bytes_[at_ + i]) : 0;
      if (i == 0 && byte >= 0x80) value = ~std::uint64_t{0};
      value = value << 8 | byte;
    }
    Skip(count);
    return static_cast<std::int64_t>(value);
  }
  std::string_view rest() const { return bytes_.substr(at_); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

struct Header {
  bool sound = false;
  std::size_t utc = 0, standard = 0, leaps = 0, times = 0, types = 0, chars = 0;
  std::size_t Size(std::size_t time) const {
    return times * (time + 1) + types * 6 + chars + leaps * (time + 4) + standard + utc;
  }
};

Header ReadHeader(Bytes& bytes) {
  Header header;
  header.sound = bytes.Has(kHeader) && bytes.rest().starts_with("TZif") && bytes.rest()[4] >= '2';
  if (!header.sound) return header;
  bytes.Skip(20);
  for (std::size_t* count : {&header.utc, &header.standard, &header.leaps, &header.times,
                             &header.types, &header.chars}) {
    const std::int64_t value = bytes.Take(4);
    header.sound = header.sound && value >= 0 && value <= 1 << 20;
    *count = header.sound ? static_cast<std::size_t>(value) : 0;
  }
  return header;
}

std::int64_t DaysTo(std::int64_t year, unsigned int month, unsigned int day) {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace): a calendar is spelt with it
  const year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                            std::chrono::day(day)};
  return sys_days(date).time_since_epoch().count();
}

bool IsLeap(std::int64_t year) { return std::chrono::year(static_cast<int>(year)).is_leap(); }

}  // namespace

// ---- the rule behind the last transition -------------------------------------------------------

class TimeZone::RuleReader {
 public:
  explicit RuleReader(std::string_view text) : text_(text) {}

  std::optional<Rule> Read() {
    Rule rule;
    std::int32_t west = 0;
    if (!Name() || !Time(&west)) return std::nullopt;
    rule.standard = rule.summer = -west;
    if (text_.empty()) return rule;
    rule.has_summer = true;
    rule.summer = rule.standard + 3600;
    if (!Name()) return std::nullopt;
    if (!text_.starts_with(',')) {
      if (!Time(&west)) return std::nullopt;
      rule.summer = -west;
    }
    const bool sound =
        Take(',') && ReadDay(&rule.begin) && Take(',') && ReadDay(&rule.end) && text_.empty();
    if (!sound) return std::nullopt;
    return rule;
  }

 private:
  bool Take(char wanted) {
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }
  static bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  bool Name() {
    std::size_t size = 0;
    if (text_.starts_with('<')) {
      size = text_.find('>');
      if (size == std::string_view::npos) return false;
      ++size;
    }
    while (size == 0 || text_[0] != '<') {
      if (size >= text_.size() || !IsLetter(text_[size])) break;
      ++size;
    }
    text_.remove_prefix(size);
    return size >= 3;
  }
  bool Number(int most, int* number) {
    if (text_.empty() || text_[0] < '0' || text_[0] > '9') return false;
    *number = 0;
    while (!text_.empty() && text_[0] >= '0' && text_[0] <= '9') {
      *number = *number * 10 + (text_[0] - '0');
      if (*number > most) return false;
      text_.remove_prefix(1);
    }
    return true;
  }
  // [+-]hh[:mm[:ss]]
  bool Time(std::int32_t* seconds) {
    const bool negative = Take('-');
    if (!negative) Take('+');
    std::array<int, 3> parts = {};
    if (!Number(167, parts.data())) return false;
    for (std::size_t i = 1; i < parts.size() && Take(':'); ++i) {
      if (!Number(59, &parts[i])) return false;
    }
    *seconds = parts[0] * 3600 + parts[1] * 60 + parts[2];
    if (negative) *seconds = -*seconds;
    return true;
  }
  // M3.5.0, J60 or 59, with or without /time
  bool ReadDay(Day* day) {
    bool sound = false;
    if (Take('M')) {
      day->kind = Day::Kind::kWeekday;
      sound = Number(12, &day->month) && Take('.') && Number(5, &day->week) && Take('.') &&
              Number(6, &day->day) && day->month > 0 && day->week > 0;
    } else if (Take('J')) {
      day->kind = Day::Kind::kJulian;
      sound = Number(365, &day->day) && day->day > 0;
    } else {
      day->kind = Day::Kind::kZeroBased;
      sound = Number(365, &day->day);
    }
    return sound && (!Take('/') || Time(&day->time));
  }

  std::string_view text_;
};

// Seconds since the epoch, as if clocks showed the time of Greenwich.
std::int64_t TimeZone::Begins(const Day& day, std::int64_t year) {
  std::int64_t days = DaysTo(year, 1, 1) + day.day;
  if (day.kind == Day::Kind::kJulian) days += IsLeap(year) && day.day >= 60 ? 0 : -1;
  if (day.kind == Day::Kind::kWeekday) {
    const auto month = static_cast<unsigned int>(day.month);
    const std::int64_t first = DaysTo(year, month, 1);
    const std::int64_t next = month == 12 ? DaysTo(year + 1, 1, 1) : DaysTo(year, month + 1, 1);
    const std::int64_t weekday = ((first + 4) % 7 + 7) % 7;  // 1970-01-01 was a Thursday
    days = first + (day.day - weekday + 7) % 7 + std::int64_t{7} * (day.week - 1);
    while (days >= next) days -= 7;
  }
  return days * kDay + day.time;
}

// ---- reading and asking ------------------------------------------------------------------------

std::optional<TimeZone> TimeZone::Parse(std::string_view file) {
  Bytes bytes(file);
  const Header old = ReadHeader(bytes);
  if (!old.sound || !bytes.Has(old.Size(4))) return std::nullopt;
  bytes.Skip(old.Size(4));
  const Header header = ReadHeader(bytes);
  if (!header.sound || header.types == 0 || !bytes.Has(header.Size(8))) return std::nullopt;
  TimeZone zone;
  for (std::size_t i = 0; i < header.times; ++i) zone.transitions_.push_back(bytes.Take(8));
  std::vector<std::size_t> types;
  for (std::size_t i = 0; i < header.times; ++i) {
    types.push_back(static_cast<std::size_t>(bytes.Take(1) & 0xff));
  }
  std::vector<std::int32_t> offsets;
  for (std::size_t i = 0; i < header.types; ++i) {
    offsets.push_back(static_cast<std::int32_t>(bytes.Take(4)));
    bytes.Skip(2);
  }
  for (const std::size_t type : types) {
    if (type >= offsets.size()) return std::nullopt;
    zone.offsets_.push_back(offsets[type]);
  }
  zone.first_ = offsets[0];
  bytes.Skip(header.chars + header.leaps * 12 + header.standard + header.utc);
  const std::string_view rest = bytes.rest();
  const std::size_t end = rest.find('\n', 1);
  const bool sorted = std::is_sorted(zone.transitions_.begin(), zone.transitions_.end());
  if (!sorted || !rest.starts_with('\n') || end == std::string_view::npos) return std::nullopt;
  if (end > 1) {
    zone.rule_ = RuleReader(rest.substr(1, end - 1)).Read();
    if (!zone.rule_) return std::nullopt;
  }
  return zone;
}

std::int32_t TimeZone::OffsetAt(std::int64_t time) const {
  const auto next = std::upper_bound(transitions_.begin(), transitions_.end(), time);
  if (next != transitions_.end() || !rule_) {
    return next == transitions_.begin()
               ? first_
               : offsets_[static_cast<std::size_t>(next - transitions_.begin()) - 1];
  }
  const Rule& rule = *rule_;
  if (!rule.has_summer) return rule.standard;
  using std::chrono::days;
  using std::chrono::seconds;
  const std::chrono::sys_seconds there{seconds(time + rule.standard)};
  const std::chrono::year_month_day date{std::chrono::floor<days>(there)};
  const auto year = static_cast<int>(date.year());
  const std::int64_t begin = Begins(rule.begin, year) - rule.standard;
  const std::int64_t end = Begins(rule.end, year) - rule.summer;
  const bool summer = begin < end ? time >= begin && time < end : time >= begin || time < end;
  return summer ? rule.summer : rule.standard;
}

}  // namespace muster::luajit
