// fx.cluster's other half: engines in memory that specs fill, move and ask.
#ifndef MUSTER_BINDINGS_LAB_SPEC_WORLD_H_
#define MUSTER_BINDINGS_LAB_SPEC_WORLD_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/lab/json.h"
#include "bindings/lab/player.h"
#include "bindings/luajit/spec_runner.h"
#include "muster/engine.h"

namespace muster::lab {

/// Operations: new {now}, apply {documents}, cycle, advance {now}, finish {keys}, evicted, state;
/// all but `new` name a {cluster}. What goes wrong comes back as {"error": ...}.
class EngineWorld : public luajit::SpecWorld {
 public:
  std::string Ask(std::string_view request, const std::shared_ptr<Policy>& policy) override;

 private:
  struct Cluster {
    explicit Cluster(TimeNs now) : player(engine, now, KeepIn(&cycles)) {}

    Engine engine;
    std::vector<CycleOutcome> cycles;  ///< that nothing has been said of yet
    Player player;
  };

  std::string Answer(std::string_view request, const std::shared_ptr<Policy>& policy);
  Json New(const Json& request, const std::shared_ptr<Policy>& policy);
  Json Serve(Cluster& cluster, const Json& request);

  std::vector<std::unique_ptr<Cluster>> clusters_;
};

}  // namespace muster::lab

#endif  // MUSTER_BINDINGS_LAB_SPEC_WORLD_H_
