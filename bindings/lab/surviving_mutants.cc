// A mutant that does not load is noticed, too: `check` stands before every activation.
#include "bindings/lab/surviving_mutants.h"

#include <utility>

#include "bindings/lab/spec_world.h"

namespace muster::lab {

std::string PolicyText(const luajit::PackageSource& source) {
  for (const luajit::PackageFile& file : source.files) {
    if (file.path == "policy.lua") return file.bytes;
  }
  return "";
}

std::vector<luajit::Mutant> SurvivingMutants(const luajit::PackageSource& source,
                                             luajit::SpecOptions options, std::size_t* tried) {
  std::vector<luajit::Mutant> survivors;
  std::vector<luajit::Mutant> mutants = luajit::MakeMutants(PolicyText(source));
  *tried = mutants.size();
  options.stop = true;
  options.counts = nullptr;
  for (luajit::Mutant& mutant : mutants) {
    luajit::PackageSource changed = source;
    for (luajit::PackageFile& file : changed.files) {
      if (file.path == "policy.lua") file.bytes = mutant.source;
    }
    EngineWorld world;
    options.world = &world;
    if (luajit::RunSpecs(changed, options).failed) continue;
    survivors.push_back(std::move(mutant));
  }
  return survivors;
}

}  // namespace muster::lab
