// Reading: what the command prints as JSON, of this engine.
#include "bindings/c/handles.h"
#include "bindings/cli/kinds.h"
#include "bindings/cli/show/explain.h"
#include "bindings/cli/show/get_items.h"
#include "bindings/lab/json.h"
#include "bindings/manifest/closest.h"
#include "bindings/wire/wire.h"

namespace muster::c {
namespace {

/// "a,b" as words.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return words;
}

Status CheckWords(const std::vector<std::string>& words, const std::vector<std::string>& known,
                  const std::string& what) {
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const std::vector<std::string_view> names(known.begin(), known.end());
    return Misuse(what + " does not take '" + word + "'; " + manifest::ProposeName(word, names));
  }
  return Status::Ok();
}

Status Get(const Engine& engine, std::string_view kind_word, const cli::Filter& filter,
           muster_bytes** json) {
  const std::optional<cli::Kind> kind = cli::FindKind(kind_word);
  if (!kind) return Misuse(cli::UnknownKind(kind_word));
  if (Status wrong = CheckWords(filter.states, cli::kWorkloadStates, "states"); !wrong.ok()) {
    return wrong;
  }
  if (Status wrong = CheckWords({filter.sort}, cli::kSorts, "sort"); !wrong.ok()) return wrong;
  const std::vector<cli::Json> items =
      cli::Items(engine, *kind, cli::MeantBy(engine, *kind, filter));
  if (filter.name.empty()) {
    Give(lab::JsonText({{"apiVersion", "v1"}, {"kind", "List"}, {"items", items}}), json);
    return Status::Ok();
  }
  if (items.empty()) {
    return {StatusCode::kNotFound, "there is no " + std::string(cli::Singular(*kind)) + " '" +
                                       filter.name + "'" +
                                       cli::NearName(engine, *kind, {filter.ns, filter.name})};
  }
  Give(lab::JsonText(items.size() == 1 ? items.front() : cli::Json(items)), json);
  return Status::Ok();
}

/// The updates as the wire has them, in a command that carries such.
Status GivePodSetUpdates(std::vector<PodSetUpdate> updates, muster_bytes** json) {
  CheckUpdate command;
  command.pod_set_updates = std::move(updates);
  const Result<std::string> text = wire::ToJson(Command(command));
  if (!text.ok()) return text.status();
  lab::Json told = lab::Json::parse(*text);
  Give(lab::JsonText({{"podSets", told.value("podSetUpdates", lab::Json::array())}}), json);
  return Status::Ok();
}

}  // namespace
}  // namespace muster::c

using muster::Engine;
using muster::Result;
using muster::Status;
using muster::c::KeyOf;
using muster::c::TextOf;
using muster::c::With;

muster_code muster_get(muster_engine* engine, const char* kind, const char* ns, const char* name,
                       const char* states, const char* sort, muster_bytes** json,
                       muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return With(engine, error, [&](Engine& e) {
    muster::cli::Filter filter;
    filter.ns = TextOf(ns);
    filter.name = TextOf(name);
    filter.states = muster::c::Words(TextOf(states));
    if (sort != nullptr) filter.sort = sort;
    return muster::c::Get(e, TextOf(kind), filter, json);
  });
}

muster_code muster_explain(muster_engine* engine, const char* ns, const char* name,
                           muster_bytes** json, muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return With(engine, error, [&](Engine& e) {
    const Result<muster::Explanation> told = e.Explain(KeyOf(ns, name));
    if (!told.ok()) return told.status();
    const muster::cli::Answer answer{*told, muster::cli::MayReclaimFrom(e, told->workload)};
    muster::c::Give(muster::lab::JsonText(muster::cli::AnswerJson(answer)), json);
    return Status::Ok();
  });
}

muster_code muster_pod_set_updates(muster_engine* engine, const char* ns, const char* name,
                                   muster_bytes** json, muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return With(engine, error, [&](Engine& e) {
    auto updates = e.PodSetUpdates(KeyOf(ns, name));
    return updates.ok() ? muster::c::GivePodSetUpdates(*std::move(updates), json)
                        : updates.status();
  });
}

muster_code muster_pod_requests(muster_engine* engine, const char* ns, const char* name,
                                muster_bytes** json, muster_error** error) {
  if (json != nullptr) *json = nullptr;
  return With(engine, error, [&](Engine& e) {
    const auto requests = e.PodRequests(KeyOf(ns, name));
    if (!requests.ok()) return requests.status();
    const Result<muster::WorkloadView> view = e.GetWorkload(KeyOf(ns, name));
    if (!view.ok()) return view.status();
    muster::lab::Json sets = muster::lab::Json::array();
    for (std::size_t i = 0; i < requests->size(); ++i) {
      muster::lab::Json amounts = muster::lab::Json::object();
      for (const auto& [resource, quantity] : (*requests)[i]) {
        amounts[std::string(resource)] = quantity.ToString();
      }
      sets.push_back(
          {{"name", std::string(view->spec.pod_sets[i].name)}, {"requests", std::move(amounts)}});
    }
    muster::c::Give(muster::lab::JsonText({{"podSets", std::move(sets)}}), json);
    return Status::Ok();
  });
}

muster_code muster_phase(muster_engine* engine, const char* ns, const char* name, int32_t* phase,
                         muster_error** error) {
  if (phase != nullptr) *phase = 0;
  return With(engine, error, [&](Engine& e) {
    const Result<muster::WorkloadView> view = e.GetWorkload(KeyOf(ns, name));
    if (view.ok() && phase != nullptr) *phase = static_cast<std::int32_t>(view->phase);
    return view.status();
  });
}
