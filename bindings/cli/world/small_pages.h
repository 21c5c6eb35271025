// SmallPages: memory that is written once and soon forgotten is not asked for in large pages.
#ifndef MUSTER_BINDINGS_CLI_WORLD_SMALL_PAGES_H_
#define MUSTER_BINDINGS_CLI_WORLD_SMALL_PAGES_H_

namespace muster::cli {

/// While it lives, memory that the process touches first comes in pages of 4 KB. The system clears
/// a page of 2 MB on the spot, and the host of a virtual machine has to find it first: of many
/// manifests, which are read once, that is up to a quarter of the time (decision 0011).
class SmallPages {
 public:
  SmallPages();
  ~SmallPages();
  SmallPages(const SmallPages&) = delete;
  SmallPages& operator=(const SmallPages&) = delete;

 private:
  bool before_;  ///< whether large ones were forbidden already
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_WORLD_SMALL_PAGES_H_
