// The annotation by which a pod template asks for segments: "block=48, rack=16", outermost first.
#ifndef MUSTER_BINDINGS_OBJECTS_SEGMENTS_H_
#define MUSTER_BINDINGS_OBJECTS_SEGMENTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::objects {

/// On a pod template.
inline constexpr std::string_view kSegmentsMark = "muster.dev/podset-segments";
/// How it is to be written.
inline constexpr std::string_view kSegmentsCure =
    "write levels with pods, the largest first, for example \"block=48, rack=16\"";

/// Levels with their pods, none where `text` is anything else. Whether sizes divide each other is
/// for the engine to say.
std::optional<std::vector<std::pair<std::string, std::int32_t>>> SegmentsIn(std::string_view text);

}  // namespace muster::objects

#endif  // MUSTER_BINDINGS_OBJECTS_SEGMENTS_H_
