// Runs the calls of calls_fuzz.cc on random bytes, in builds that have no libFuzzer.
#include <cstdint>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main() {
  constexpr int kInputs = 500;
  std::mt19937 random(1);
  for (int i = 0; i < kInputs; ++i) {
    std::vector<std::uint8_t> input(random() % 400);
    for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random());
    (void)LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  return 0;
}
