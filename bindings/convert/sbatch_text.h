// The #SBATCH lines of a batch script, as options with their places.
#ifndef MUSTER_BINDINGS_CONVERT_SBATCH_TEXT_H_
#define MUSTER_BINDINGS_CONVERT_SBATCH_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/manifest/manifest.h"

namespace muster::convert {

struct SbatchOption {
  std::string name;   ///< in its long form, without dashes: "cpus-per-task"
  std::string value;  ///< empty: none was given
  manifest::Place place;
};

/// Options in the order written; as Slurm does, up to the first line that is a command. What Slurm
/// would pass over, and letters that are no option, go to `diagnostics`.
std::vector<SbatchOption> ReadSbatch(const manifest::Source& source,
                                     std::vector<manifest::Diagnostic>* diagnostics);

/// Whether the text is a script, and no manifest.
bool IsScript(const manifest::Source& source);

/// Seconds of "30" (minutes), "30:15", "2:30:15", "1-12", "1-12:30" or "1-12:30:15".
std::optional<std::int64_t> ReadSlurmTime(std::string_view text);
/// Bytes of "4000" (megabytes of 2^20 bytes), "512K", "4G", "1T".
std::optional<std::int64_t> ReadSlurmMemory(std::string_view text);
/// A whole number from 1 to a million.
std::optional<std::int64_t> ReadSlurmCount(std::string_view text);
/// Indexes of "0-9", "1,3,7", "0-15:4"; a trailing "%4" is cut off into `throttle`.
std::optional<std::vector<std::int64_t>> ReadSlurmArray(std::string_view text, bool* throttle);
inline constexpr std::size_t kMostElements = 1000;  ///< of an array

}  // namespace muster::convert

#endif  // MUSTER_BINDINGS_CONVERT_SBATCH_TEXT_H_
