// See workload_names.h.
#include "bindings/cli/world/workload_names.h"

namespace muster::cli {

namespace {

int ParseKey(const std::string& word, const std::string& ns, std::string_view verb, Io& io,
             Key* key) {
  const std::size_t slash = word.find('/');
  if (slash == std::string::npos && ns.empty()) {
    return io.Fail(kWrongUse, std::string(verb) + ": '" + word +
                                  "' has no namespace; write NAMESPACE/" + word +
                                  " or add -n NAMESPACE");
  }
  *key = slash == std::string::npos ? Key{ns, word}
                                    : Key{word.substr(0, slash), word.substr(slash + 1)};
  if (!ns.empty() && key->ns != ns) {
    return io.Fail(kWrongUse, std::string(verb) + ": '" + word + "' and -n " + ns +
                                  " name two namespaces; leave one of them out");
  }
  if (!key->ns.empty() && !key->name.empty() && key->name.find('/') == std::string::npos) {
    return kDone;
  }
  return io.Fail(kWrongUse,
                 std::string(verb) + ": '" + word + "' is no name; write NAMESPACE/NAME");
}

}  // namespace

int ReadWords(const std::vector<std::string>& words, std::string_view verb, std::string_view what,
              Io& io, std::vector<std::string>* all) {
  for (const std::string& word : words) {
    if (word != "-") {
      all->push_back(word);
      continue;
    }
    const std::size_t before = all->size();
    for (std::string read; io.in >> read;) all->push_back(read);
    if (all->size() == before) {
      return io.Fail(kWrongUse,
                     std::string(verb) + ": standard input names no " + std::string(what));
    }
  }
  return kDone;
}

int ParseKeys(const std::vector<std::string>& words, const std::string& ns, std::string_view verb,
              Io& io, std::vector<Key>* keys) {
  std::vector<std::string> all;
  if (const int code = ReadWords(words, verb, "workload", io, &all); code != kDone) return code;
  for (const std::string& word : all) {
    if (const int code = ParseKey(word, ns, verb, io, &keys->emplace_back()); code != kDone) {
      return code;
    }
  }
  return kDone;
}

Key ResolveWorkload(const Engine& engine, const Key& key) {
  if (engine.GetWorkload(key).ok()) return key;
  const Key as_job{key.ns, "job-" + key.name};
  return engine.GetWorkload(as_job).ok() ? as_job : key;
}

}  // namespace muster::cli
