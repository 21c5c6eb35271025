// Field lists of commands (muster/command.h), each also of the view that a call keeps of what it
// was given. See engine/codec/fields.h.
#ifndef MUSTER_ENGINE_CODEC_FIELDS_COMMAND_H_
#define MUSTER_ENGINE_CODEC_FIELDS_COMMAND_H_

#include <concepts>
#include <span>
#include <type_traits>

#include "engine/codec/fields.h"
#include "muster/command.h"

namespace muster {

/// Commands that do not own their lists: `Data` is the one that does.
namespace view {
struct Apply {
  using Data = command::Apply;
  std::span<const Object> objects;
  MissingReference missing;
  Submission submission;
};
struct Submit {
  using Data = command::Submit;
  std::span<const Workload> workloads;
  Submission submission;
};
struct Ready {
  using Data = command::Ready;
  std::span<const Key> workloads;
  bool ready;
  std::span<const std::string> uids;
};
struct Finish {
  using Data = command::Finish;
  std::span<const Key> workloads;
  bool failed;
  std::span<const std::string> uids;
  const std::string& reason;
  const std::string& message;
};
struct Cancel {
  using Data = command::Cancel;
  std::span<const Key> workloads;
  std::span<const std::string> uids;
};
struct Evicted {
  using Data = command::Evicted;
  std::span<const Key> workloads;
  std::span<const std::string> uids;
};
}  // namespace view

/// The command that T is or is a view of.
template <typename T>
struct CommandOf {
  using Type = T;
};
template <typename T>
requires requires { typename T::Data; }
struct CommandOf<T> {
  using Type = typename T::Data;
};

/// C or its view, const or not.
template <typename O, typename C>
concept Gives = std::same_as<typename CommandOf<std::remove_const_t<O>>::Type, C>;

template <typename V>
void VisitFields(V& v, Of<PodSetCount> auto& o) {
  VisitRequired(v, "pod_set", o.pod_set);
  VisitRequired(v, "count", o.count);
}

template <typename V>
void VisitFields(V& v, Of<PolicyChange> auto& o) {
  v("by", o.by);
  v("why", o.why);
}

template <typename V>
void VisitFields(V& v, Gives<command::Apply> auto& o) {
  VisitRequired(v, "objects", o.objects);
  v("missing", o.missing);
  v("submission", o.submission);
}

template <typename V>
void VisitFields(V& v, Gives<command::Submit> auto& o) {
  VisitRequired(v, "workloads", o.workloads);
  v("submission", o.submission);
}

template <typename V>
void VisitFields(V& v, Of<command::Delete> auto& o) {
  VisitRequired(v, "kind", o.kind);
  VisitRequired(v, "key", o.key);
  v("force", o.force);
}

template <typename V>
void VisitFields(V& v, Of<command::Update> auto& o) {
  VisitRequired(v, "workload", o.workload);
  v("priority", o.priority);
  v("active", o.active);
  v("reclaimable_pods", o.reclaimable_pods);
  v("counts", o.counts);
  v("open_gates", o.open_gates);
  if (HasFieldsOf(v, 7)) VisitTime(v, "checkpointed", o.checkpointed);
  VisitLater(v, 10, "uid", o.uid);
}

template <typename V>
void VisitFields(V& v, Of<command::AnswerCheck> auto& o) {
  VisitRequired(v, "workload", o.workload);
  VisitRequired(v, "check", o.check);
  VisitRequired(v, "state", o.state);
  v("message", o.message);
  v("requeue_after_seconds", o.requeue_after_seconds);
  v("pod_set_updates", o.pod_set_updates);
  VisitLater(v, 10, "uid", o.uid);
}

template <typename V>
void VisitFields(V& v, Gives<command::Ready> auto& o) {
  VisitRequired(v, "workloads", o.workloads);
  v("ready", o.ready);
  VisitLater(v, 10, "uids", o.uids);
}

template <typename V>
void VisitFields(V& v, Gives<command::Finish> auto& o) {
  VisitRequired(v, "workloads", o.workloads);
  v("failed", o.failed);
  VisitLater(v, 10, "uids", o.uids);
  VisitLater(v, 11, "reason", o.reason);
  VisitLater(v, 11, "message", o.message);
}

template <typename V>
void VisitFields(V& v, Gives<command::Cancel> auto& o) {
  VisitRequired(v, "workloads", o.workloads);
  VisitLater(v, 10, "uids", o.uids);
}

template <typename V>
void VisitFields(V& v, Of<command::Evict> auto& o) {
  VisitRequired(v, "workload", o.workload);
  VisitRequired(v, "reason", o.reason);
  VisitLater(v, 10, "uid", o.uid);
}

template <typename V>
void VisitFields(V& v, Gives<command::Evicted> auto& o) {
  VisitRequired(v, "workloads", o.workloads);
  PassFormer(v, 6);  // whether the lifecycle controller runs, which it always does
  VisitLater(v, 10, "uids", o.uids);
}

template <typename V>
void VisitFields(V&, Of<command::Advance> auto&) {}

template <typename V>
void VisitFields(V&, Of<command::Cycle> auto&) {}

template <typename V>
void VisitFields(V& v, Of<command::ActivatePolicy> auto& o) {
  VisitRequired(v, "hash", o.hash);
  v("change", o.change);
}

template <typename V>
void VisitFields(V& v, Of<command::RollBackPolicy> auto& o) {
  VisitRequired(v, "package", o.package);
  VisitRequired(v, "before", o.before);
  v("change", o.change);
}

template <typename V>
void VisitFields(V& v, Of<command::NoteStaged> auto& o) {
  VisitRequired(v, "package", o.package);
  VisitRequired(v, "hash", o.hash);
  v("refused", o.refused);
  v("change", o.change);
}

template <typename V>
void VisitFields(V& v, Of<command::RegisterConsumer> auto& o) {
  VisitRequired(v, "consumer", o.consumer);
  v("after", o.after);
}

template <typename V>
void VisitFields(V& v, Of<command::Acknowledge> auto& o) {
  VisitRequired(v, "consumer", o.consumer);
  VisitRequired(v, "upto", o.upto);
}

template <typename V>
void VisitFields(V& v, Of<command::RemoveConsumer> auto& o) {
  VisitRequired(v, "consumer", o.consumer);
}

}  // namespace muster

#endif  // MUSTER_ENGINE_CODEC_FIELDS_COMMAND_H_
