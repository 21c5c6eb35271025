// What the opaque types of muster.h are, and how every function of it is entered.
//
// A function locks its engine, runs, and turns a Status or an exception into a code and an error.
// Nothing that is thrown leaves the library. While an engine has a pipeline, calls of every day
// enter by Ahead and return before they are on disk; all others wait for those first.
#ifndef MUSTER_BINDINGS_C_HANDLES_H_
#define MUSTER_BINDINGS_C_HANDLES_H_

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/c/include/muster.h"
#include "bindings/manifest/named_by_uid.h"
#include "db/store_types.h"
#include "engine/base/caught.h"
#include "muster/muster.h"
#include "muster/pipeline.h"

/// One mistake as an error has it.
struct muster_mistake {
  std::string place;
  std::string what;
  std::string cure;
};

struct muster_error {
  muster_code code = MUSTER_OK;
  std::string message;
  std::vector<muster_mistake> mistakes;
};

struct muster_bytes {
  std::string text;
};

struct muster_shape {
  muster::Workload workload;
};

/// Where the pods of one podset go, as the caller reads it.
struct ShownTopology {
  std::vector<const char*> levels;
  std::vector<std::vector<const char*>> values;  ///< of each domain
  std::vector<muster_place> domains;
  muster_topology shown;  ///< points into those
};

struct muster_decisions {
  muster::answer::Decisions told;
  std::vector<muster_decision> shown;  ///< points into `told` and all below
  std::vector<std::vector<muster_pod_set>> pod_sets;
  std::vector<std::vector<muster_flavor_use>> flavors;
  std::deque<std::string> texts;  ///< that end in a NUL byte here only
  /// By the index of the decision and that of its podset.
  std::map<std::pair<std::size_t, std::size_t>, ShownTopology> topologies;
};

struct muster_engine {
  /// An activation that can be undone: which packages were active before it.
  struct Activation {
    std::string package;
    std::vector<std::shared_ptr<muster::Policy>> before;
  };

  /// A package that was checked and tried, and may be activated as it is.
  struct Staged {
    muster::StoredPolicy stored;
    std::shared_ptr<muster::Policy> policy;
  };

  std::atomic<int> calls = 0;       ///< that are running, or wait for their turn
  const std::uint64_t born;         ///< Forks() when it was opened
  std::mutex mutex;                 ///< guards all below
  std::condition_variable decided;  ///< told after every call that may have decided something
  std::unique_ptr<muster::DurableEngine> durable;  ///< one of these two
  std::unique_ptr<muster::Engine> in_memory;
  std::vector<Activation> activations;                            ///< of an engine in memory
  std::map<std::string, std::shared_ptr<muster::Policy>> loaded;  ///< by hash; the same
  std::optional<Staged> staged;                                   ///< the newest that passed
  muster::manifest::NamesByUid names;                             ///< of imported jobs
  std::uint64_t wakes = 0;                                        ///< calls of muster_wake
  std::unique_ptr<muster::Pipeline> pipeline;                     ///< of a durable one, or none
  muster::Ticket stored = 0;  ///< tickets of pipelines that were stopped
  int awaiting = 0;           ///< threads that wait for the pipeline without the lock
  std::condition_variable awaited;

  muster_engine();
  muster::Engine& get() { return durable ? durable->engine() : *in_memory; }
};

namespace muster::c {

/// A text that came in; NULL is empty.
inline std::string_view TextOf(const char* text) { return text == nullptr ? "" : text; }
inline std::string_view TextOf(const char* text, std::size_t size) {
  return text == nullptr ? std::string_view() : std::string_view(text, size);
}
inline TimeNs TimeOf(std::int64_t now) { return now == kNoTime ? WallClock() : now; }
inline Key KeyOf(const char* ns, const char* name) {
  return {std::string(TextOf(ns)), std::string(TextOf(name))};
}

muster_code CodeOf(StatusCode code);

/// The status as an error where one is wanted, and its code.
muster_code Tell(const Status& status, muster_error** error) noexcept;
/// The same with these mistakes, of which there is at least one.
muster_code Tell(StatusCode code, std::vector<muster_mistake> mistakes,
                 muster_error** error) noexcept;

/// Hands `text` out where it is wanted.
void Give(std::string text, muster_bytes** bytes);

/// A mistake of the caller: an argument that must be there is NULL, a size is none.
inline Status Misuse(std::string what) { return {StatusCode::kInvalidArgument, std::move(what)}; }

/// How often this process and those before it have called fork(2), as far as engines were open.
std::uint64_t Forks() noexcept;
/// Why a call may not use `engine`: it is NULL, or belongs to the process that forked this one.
Status CheckUsable(const muster_engine* engine);

/// Waits until all that was called ahead is on disk. From then on calls may go to the engine
/// itself, each on disk when it returns, until the next one ahead.
Status Settle(muster_engine& engine);
/// Calls the engine ahead of the disk where it has a pipeline. `call` hands nothing out that may be
/// acted on.
Status CallAhead(muster_engine& engine, const std::function<Status(Engine&)>& call);
/// Waits until `ticket` is on disk; other calls go on meanwhile. `lock` is of the engine, and held
/// before and after.
Status AwaitStored(muster_engine& engine, Ticket ticket, std::unique_lock<std::mutex>* lock);
/// The ticket behind which all stands that was called so far.
Ticket NewestTicket(const muster_engine& engine);

/// Runs `call`, which returns a Status, and tells what came of it.
template <typename Function>
muster_code Run(muster_error** error, const Function& call) noexcept {
  if (error != nullptr) *error = nullptr;
  return Tell(Guarded(call), error);
}

/// Counts a call on an engine for as long as it runs.
class InCall {
 public:
  explicit InCall(muster_engine& engine) : calls_(engine.calls) { ++calls_; }
  ~InCall() { --calls_; }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  std::atomic<int>& calls_;
};

/// The same under the lock of `engine`, as call(muster_engine&).
template <typename Function>
muster_code Enter(muster_engine* engine, muster_error** error, const Function& call) noexcept {
  return Run(error, [&]() -> Status {
    if (Status wrong = CheckUsable(engine); !wrong.ok()) return wrong;
    const InCall counted(*engine);
    const std::lock_guard<std::mutex> lock(engine->mutex);
    return call(*engine);
  });
}

/// Settle, and why the engine takes no call any more: what reads several things of it would take
/// each refusal for something that is not there.
inline Status SettleOpen(muster_engine& engine) {
  Status failed = Settle(engine);
  return failed.ok() ? engine.get().Closed() : failed;
}

/// The same as call(Engine&), of a call that changes nothing, or is on disk when it returns.
template <typename Function>
muster_code With(muster_engine* engine, muster_error** error, const Function& call) noexcept {
  return Enter(engine, error, [&](muster_engine& entered) {
    Status failed = SettleOpen(entered);
    return failed.ok() ? call(entered.get()) : failed;
  });
}

/// Has what waits for decisions look again, whatever comes of the call.
class LooksAgain {
 public:
  explicit LooksAgain(muster_engine& engine) : decided_(engine.decided) {}
  ~LooksAgain() { decided_.notify_all(); }
  LooksAgain(const LooksAgain&) = delete;
  LooksAgain& operator=(const LooksAgain&) = delete;

 private:
  std::condition_variable& decided_;
};

/// With, of a call that may decide something.
template <typename Function>
muster_code Change(muster_engine* engine, muster_error** error, const Function& call) noexcept {
  return Enter(engine, error, [&](muster_engine& entered) {
    const LooksAgain after(entered);
    Status failed = SettleOpen(entered);
    return failed.ok() ? call(entered.get()) : failed;
  });
}

/// Change, of a call of every day, which a pipeline takes ahead of the disk.
template <typename Function>
muster_code Ahead(muster_engine* engine, muster_error** error, const Function& call) noexcept {
  return Enter(engine, error, [&](muster_engine& entered) {
    const LooksAgain after(entered);
    return CallAhead(entered, std::ref(call));
  });
}

/// Ahead where the call hands nothing out. Change where it `answers`, for an answer is given when
/// it is on disk.
template <typename Function>
muster_code AheadUnless(bool answers, muster_engine* engine, muster_error** error,
                        const Function& call) noexcept {
  return answers ? Change(engine, error, call) : Ahead(engine, error, call);
}

/// No struct will ever be longer: a size beyond it was never set.
constexpr std::uint32_t kMostSize = 4096;

/// Whether a struct that came in says its size, as far as the fields that this library needs.
template <typename Struct>
Status CheckSize(const Struct* given, std::uint32_t least, const char* name) {
  const std::uint32_t size = given->size;
  if (size >= least && size <= kMostSize && size % alignof(Struct) == 0) return Status::Ok();
  return Misuse(std::string(name) + ".size is " + std::to_string(given->size) +
                "; set it to sizeof(" + name + ") before the call");
}

/// Element `index` of an array whose elements may be longer than this library knows.
template <typename Struct>
const Struct& At(const Struct* array, std::size_t index) {
  const char* bytes = reinterpret_cast<const char*>(array);
  return *reinterpret_cast<const Struct*>(bytes + index * array->size);
}

/// The size of a muster_name before it had a uid.
constexpr std::uint32_t kNameWithoutUid = offsetof(muster_name, uid);

/// The uid of a name of that size; empty where its caller knows no such field.
inline std::string_view UidOf(const muster_name& name, std::uint32_t size) {
  return size < offsetof(muster_name, run) ? std::string_view() : TextOf(name.uid);
}
/// The run of such a name; 0 where its caller knows no such field.
inline std::int64_t RunOf(const muster_name& name, std::uint32_t size) {
  return size < sizeof(muster_name) ? 0 : name.run;
}

/// A workload that a call is about alone.
inline Status ReadName(const muster_name* name, Key* key, std::string* uid, std::int64_t* run) {
  if (name == nullptr) return Misuse("workload is NULL; name one");
  if (Status sized = CheckSize(name, kNameWithoutUid, "muster_name"); !sized.ok()) return sized;
  *key = KeyOf(name->ns, name->name);
  *uid = UidOf(*name, name->size);
  *run = RunOf(*name, name->size);
  return Status::Ok();
}

/// 0 in all fields of a struct that goes out, for a call that may be refused. `size` stays; Fill
/// finds one that is none.
template <typename Struct>
void Clear(Struct* out) noexcept {
  if (out == nullptr || out->size < sizeof(std::uint32_t) || out->size > kMostSize) return;
  auto* bytes = reinterpret_cast<char*>(out);
  std::fill(bytes + sizeof(std::uint32_t), bytes + std::min<std::size_t>(out->size, sizeof(Struct)),
            '\0');
}

/// Fills a struct that goes out as far as the caller knows its fields. `size` stays.
template <typename Struct>
Status Fill(const Struct& value, Struct* out, const char* name) {
  if (out == nullptr) return Status::Ok();
  if (Status sized = CheckSize(out, 2 * sizeof(std::uint32_t), name); !sized.ok()) return sized;
  const std::uint32_t size = out->size;
  const auto* from = reinterpret_cast<const char*>(&value);
  std::copy(from, from + std::min<std::size_t>(size, sizeof(Struct)), reinterpret_cast<char*>(out));
  out->size = size;
  return Status::Ok();
}

}  // namespace muster::c

#endif  // MUSTER_BINDINGS_C_HANDLES_H_
