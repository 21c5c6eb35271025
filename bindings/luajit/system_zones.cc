// The zone files of the system, below /usr/share/zoneinfo.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "bindings/luajit/time_zone.h"

namespace muster::luajit {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kZoneInfo = "/usr/share/zoneinfo/";
constexpr std::size_t kLongestName = 64;

}  // namespace

bool IsZoneName(std::string_view name) {
  if (name.empty() || name.size() > kLongestName) return false;
  bool begins = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '/' ? begins : !letter && c != '_' && c != '-' && c != '+') return false;
    begins = c == '/';
  }
  return !begins;
}

std::optional<std::string> ReadSystemZone(std::string_view name) {
  if (!IsZoneName(name)) return std::nullopt;
  const fs::path path = std::string(kZoneInfo) + std::string(name);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in || !TimeZone::Parse(bytes)) return std::nullopt;
  return bytes;
}

std::vector<std::string> SystemZones() {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path top(kZoneInfo);
  for (fs::recursive_directory_iterator it(top, error), end; !error && it != end;
       it.increment(error)) {
    std::string name = it->path().lexically_relative(top).generic_string();
    if (name == "posix" || name == "right") it.disable_recursion_pending();
    if (IsZoneName(name) && it->is_regular_file(error)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace muster::luajit
