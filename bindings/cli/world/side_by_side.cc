// Runs share nothing but counters; the calling thread alone prints.
#include "bindings/cli/world/side_by_side.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "bindings/cli/interrupted.h"
#include "bindings/cli/progress.h"
#include "bindings/lab/words.h"
#include "engine/base/caught.h"

namespace muster::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kGlance{20};

void Show(std::size_t done, std::size_t steps, std::string_view unit, Clock::time_point begun,
          Progress* progress) {
  const std::chrono::duration<double> time = Clock::now() - begun;
  if (!progress->shown() || time.count() < 1 || done == 0) return;
  const double rate = static_cast<double>(done) / time.count();
  const double left = static_cast<double>(steps - std::min(done, steps)) / rate;
  progress->Show(std::to_string(done) + " of " + lab::Counted(steps, unit) + ", " +
                 std::to_string(static_cast<long>(rate)) + " a second, " +
                 std::to_string(static_cast<long>(left)) + " s left");
}

struct StopAtEnd {
  std::atomic<bool>& stop;
  ~StopAtEnd() { stop = true; }
};

/// As many threads as the system gives, those wanted at most; false: none.
bool Begin(std::size_t wanted, const std::function<void()>& work,
           std::vector<std::jthread>* threads) {
  threads->reserve(wanted);
  try {
    while (threads->size() < wanted) threads->emplace_back(work);
  } catch (...) {  // those that there are do it all
    return !threads->empty();
  }
  return true;
}

}  // namespace

std::vector<Status> RunSideBySide(const std::vector<SideRun>& runs, std::size_t steps,
                                  std::string_view unit, Io& io) {
  std::vector<Status> ends(runs.size());
  std::vector<std::atomic<std::size_t>> done(runs.size());
  std::atomic<std::size_t> next = 0, finished = 0;
  std::atomic<bool> stop = false;
  const auto work = [&] {
    for (std::size_t i = next++; i < runs.size(); i = next++) {
      ends[i] = Guarded([&] {
        return runs[i]([&, i](std::size_t so_far) {
          done[i].store(so_far, std::memory_order_relaxed);
          return !stop.load(std::memory_order_relaxed);
        });
      });
      ++finished;
    }
  };
  std::vector<std::jthread> threads;
  const StopAtEnd stop_at_end{stop};  // also when this thread finds no memory to go on with
  if (!Begin(std::min<std::size_t>(std::max(1U, std::thread::hardware_concurrency()), runs.size()),
             work, &threads)) {
    return {runs.size(), Status(StatusCode::kUnavailable, "the system gives no thread for a run")};
  }
  const Interrupted interrupted;
  Progress progress(io);
  const Clock::time_point begun = Clock::now();
  while (finished.load() < runs.size()) {
    if (interrupted.Within(kGlance)) {
      stop = true;
      std::this_thread::sleep_for(kGlance);
    }
    std::size_t sum = 0;
    for (const auto& each : done) sum += each.load(std::memory_order_relaxed);
    Show(sum, steps, unit, begun, &progress);
  }
  return ends;
}

}  // namespace muster::cli
