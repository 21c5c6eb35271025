// The slices of an elastic job shown as one job.
#ifndef MUSTER_BINDINGS_CLI_SHOW_SLICES_H_
#define MUSTER_BINDINGS_CLI_SHOW_SLICES_H_

#include <functional>

#include "bindings/cli/io.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/lab/events.h"
#include "muster/engine.h"

namespace muster::cli {

/// `filter`, which may name an elastic job or a slice that was replaced, as one that names the
/// slice with quota, else the newest that has not ended.
Filter MeantSlice(const Engine& engine, Filter filter);

/// What has happened to all slices of the job of `workload`, oldest first; `one` tells it of one.
lab::History HistoryOfJob(const Engine& engine, const Key& workload,
                          const std::function<lab::History(const Key&)>& one);

/// A table of the slices of the job; nothing for a job that has one.
void PrintSlices(const Engine& engine, const Key& workload, Io& io);

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_SHOW_SLICES_H_
