// UTF-8 by the table of well-formed sequences: overlong forms, surrogates and values beyond
// U+10FFFF show in the second byte.
#include "bindings/manifest/encoding.h"

#include <algorithm>

namespace muster::manifest {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

unsigned char At(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool IsContinuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// Length of the character at `i`, 0 when the bytes there are not one.
std::size_t CharacterLength(std::string_view text, std::size_t i) {
  const unsigned char lead = At(text, i);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() - i < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if (!IsContinuation(At(text, i + k))) return 0;
  }
  const unsigned char second = At(text, i + 1);
  const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                   (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
  return bad ? 0 : length;
}

bool IsForbiddenControl(unsigned char byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

std::string HexByte(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'0', 'x', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
}

}  // namespace

std::string_view WithoutByteOrderMark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<EncodingMistake> FindEncodingMistake(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return EncodingMistake{0, "this text is UTF-16", "save it as UTF-8"};
  }
  std::size_t i = 0;
  while (i < text.size()) {
    const unsigned char byte = At(text, i);
    if (byte == 0) return EncodingMistake{i, "there is a NUL byte in the text", "remove it"};
    if (IsForbiddenControl(byte)) {
      return EncodingMistake{i, "there is a control character (" + HexByte(byte) + ") in the text",
                             "remove it"};
    }
    const std::size_t length = CharacterLength(text, i);
    if (length == 0) {
      return EncodingMistake{i, "the byte " + HexByte(byte) + " is not UTF-8",
                             "save the text as UTF-8"};
    }
    i += length;
  }
  return std::nullopt;
}

std::size_t ContinuationBytes(std::string_view line, std::size_t offset) {
  const std::string_view before = line.substr(0, std::min(offset, line.size()));
  return static_cast<std::size_t>(std::count_if(before.begin(), before.end(), [](char c) {
    return IsContinuation(static_cast<unsigned char>(c));
  }));
}

Position PositionOf(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  const std::size_t column =
      before.size() - start - ContinuationBytes(text.substr(start), before.size() - start) + 1;
  return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(column)};
}

}  // namespace muster::manifest
