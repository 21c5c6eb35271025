// See object_name.h.
#include "bindings/cli/verbs/object_name.h"

namespace muster::cli {

int ReadName(const std::string& word, const std::string& ns, bool has_namespace,
             std::string_view noun, std::string_view verb, Io& io, Key* key) {
  const std::string begin = std::string(verb) + ": ";
  const std::size_t slash = word.find('/');
  const bool both = slash != std::string::npos;
  if (!has_namespace && (both || !ns.empty())) {
    return io.Fail(kWrongUse, begin + "a " + std::string(noun) + " has no namespace; " +
                                  (both ? "write " + word.substr(slash + 1) + ", not " + word
                                        : "leave out -n " + ns));
  }
  *key = both ? Key{word.substr(0, slash), word.substr(slash + 1)} : Key{ns, word};
  if (both && (key->ns.empty() || key->name.empty() || key->name.find('/') != std::string::npos)) {
    return io.Fail(kWrongUse, begin + "'" + word + "' is no name; write NAMESPACE/NAME");
  }
  if (!ns.empty() && key->ns != ns) {
    return io.Fail(kWrongUse, begin + "'" + word + "' and -n " + ns +
                                  " name two namespaces; leave one of them out");
  }
  return kDone;
}

int ReadName(Kind kind, std::string_view verb, Io& io, Filter* filter) {
  if (kind == Kind::kAccount && filter->ns.empty()) return kDone;  // a key, which may hold a slash
  Key key;
  const bool has_namespace = kind == Kind::kLocalQueue || kind == Kind::kWorkload;
  const int code =
      ReadName(filter->name, filter->ns, has_namespace, Singular(kind), verb, io, &key);
  filter->ns = key.ns;
  filter->name = key.name;
  return code;
}

}  // namespace muster::cli
