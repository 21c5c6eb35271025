// Characters as manifests, quantities and programs are written in: ASCII, whatever the locale.
#ifndef MUSTER_ENGINE_BASE_ASCII_H_
#define MUSTER_ENGINE_BASE_ASCII_H_

namespace muster {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace muster

#endif  // MUSTER_ENGINE_BASE_ASCII_H_
