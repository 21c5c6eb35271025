// Beside: parts of one job that do not depend on each other, done by several threads.
#ifndef MUSTER_BINDINGS_MANIFEST_BESIDE_H_
#define MUSTER_BINDINGS_MANIFEST_BESIDE_H_

#include <cstddef>
#include <functional>

namespace muster::manifest {

/// Calls `work` once for each index below `count`, on this thread and up to three others, and
/// returns when all have been called. What the lowest index threw is thrown then. With a count of
/// one, or where the system gives no threads, all of it is done here.
void Beside(std::size_t count, const std::function<void(std::size_t)>& work);
/// The same, where a thread takes `run` of them in a row at a time.
void BesideInRuns(std::size_t count, std::size_t run, const std::function<void(std::size_t)>& work);

}  // namespace muster::manifest

#endif  // MUSTER_BINDINGS_MANIFEST_BESIDE_H_
