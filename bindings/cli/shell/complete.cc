// What a word may be is told by what stands for it in help: "KIND", "LEDGER", "table|json". So a
// new verb or option is completed as soon as it is declared.
#include "bindings/cli/shell/complete.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "bindings/cli/kinds.h"
#include "bindings/cli/shell/known_names.h"
#include "bindings/cli/show/get_items.h"

namespace muster::cli {
namespace {

/// More than a terminal can show; a ledger may know a million.
constexpr std::size_t kMostProposals = 1000;

struct Option {
  std::vector<std::string> spellings;  ///< "-n", "--namespace"
  std::string metavar;                 ///< "NAMESPACE"; empty: it takes no word
  std::string doc;

  bool Is(std::string_view word) const {
    return std::find(spellings.begin(), spellings.end(), word) != spellings.end();
  }
  /// Whether it takes every word up to the next option.
  bool TakesMany() const { return metavar.ends_with("...") && !metavar.ends_with(",..."); }
};

std::vector<std::string> SplitAt(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(at), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Of "-n, --namespace NAMESPACE".
std::vector<Option> OptionsOf(const Flags& flags) {
  std::vector<Option> options;
  for (const FlagDoc& doc : flags.docs()) {
    if (doc.positional) continue;
    Option option;
    option.doc = doc.doc;
    for (std::string& word : SplitAt(doc.spelling, ' ')) {
      if (word.ends_with(',')) word.pop_back();
      if (word.starts_with('-')) {
        option.spellings.push_back(std::move(word));
      } else {
        option.metavar = std::move(word);
      }
    }
    options.push_back(std::move(option));
  }
  return options;
}

/// "KIND", "NAME" of the usage "KIND [NAME] -f FILE...".
std::vector<std::string> WordsOf(std::string_view usage) {
  std::vector<std::string> words;
  for (std::string& word : SplitAt(usage, ' ')) {
    if (word.starts_with('-') || word.starts_with("[-") || word == "|") break;
    std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
    words.push_back(std::move(word));
  }
  return words;
}

bool IsLower(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return std::isupper(c) != 0; });
}

class Completion {
 public:
  Completion(std::string current, Io& io) : current_(std::move(current)), io_(io) {}

  void Propose(std::string_view word, std::string_view doc = "") {
    if (!word.starts_with(current_) || proposed_ == kMostProposals) return;
    ++proposed_;
    io_.out << option_ << word;
    // Its first sentence says enough.
    if (!doc.empty()) io_.out << '\t' << doc.substr(0, doc.find_first_of(".\n"));
    io_.out << '\n';
  }

  void Verbs(const std::vector<std::unique_ptr<Command>>& commands,
             const std::vector<std::string>& before) {
    std::string last;
    for (const auto& command : commands) {
      const std::vector<std::string> words = SplitAt(command->info().name, ' ');
      if (words.size() <= before.size()) continue;
      if (!std::equal(before.begin(), before.end(), words.begin())) continue;
      const std::string& word = words[before.size()];
      const bool whole = words.size() == before.size() + 1;
      if (word != last) Propose(word, whole ? command->info().summary : "");
      last = word;
    }
  }

  /// The words behind a verb.
  void Words(const CommandInfo& info, const Flags& flags, const std::vector<std::string>& before) {
    const std::vector<Option> options = OptionsOf(flags);
    std::vector<std::string> words;  // those that belong to no option
    const Option* open = nullptr;    // it takes the next word
    const auto take = [this](const Option& option, const std::string& value) {
      if (option.Is("--db")) db_ = AtHome(value);
      if (option.Is("--namespace")) ns_ = value;
    };
    for (const std::string& word : before) {
      const bool is_option = word.size() > 1 && word.starts_with('-');
      if (open != nullptr && word == "=") continue;  // bash makes three words of --db=LEDGER
      if (open != nullptr && !is_option) {
        take(*open, word);
        if (!open->TakesMany()) open = nullptr;
        continue;
      }
      open = nullptr;
      if (!is_option) {
        words.push_back(word);
        continue;
      }
      const std::size_t equals = std::min(word.find('='), word.size());
      open = Find(options, word.substr(0, equals));
      if (open == nullptr || equals == word.size()) continue;
      take(*open, word.substr(equals + 1));
      open = nullptr;
    }
    if (current_ == "=" && open != nullptr) current_.clear();
    if (const std::size_t equals = current_.find('=');
        current_.starts_with("--") && equals != current_.npos) {
      open = Find(options, current_.substr(0, equals));
      option_ = current_.substr(0, equals + 1);
      current_.erase(0, equals + 1);
      if (open != nullptr) Values(open->metavar, words);
      return;
    }
    if (current_.starts_with('-')) return Options(options, before);
    if (open != nullptr) return Values(open->metavar, words);
    std::vector<std::string> wanted = WordsOf(info.usage);
    if (wanted.empty()) return Values("FILE", words);
    if (wanted.back().ends_with("...") && words.size() >= wanted.size()) {
      return Values(wanted.back(), words);
    }
    if (words.size() < wanted.size()) return Values(wanted[words.size()], words);
    Options(options, before);
  }

 private:
  /// The option that is spelled so and takes a word; null where none does.
  static const Option* Find(const std::vector<Option>& options, std::string_view word) {
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const Option& option) { return option.Is(word); });
    return found == options.end() || found->metavar.empty() ? nullptr : &*found;
  }

  /// The path as the shell would give it: what stands on the line is not expanded yet.
  static std::string AtHome(const std::string& path) {
    const char* const home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set
    return path.starts_with("~/") && home != nullptr ? home + path.substr(1) : path;
  }

  void Options(const std::vector<Option>& options, const std::vector<std::string>& before) {
    for (const Option& option : options) {
      const bool given =
          std::any_of(before.begin(), before.end(), [&](const auto& w) { return option.Is(w); });
      if (!given || option.TakesMany()) Propose(option.spellings.back(), option.doc);
    }
    if (before.empty()) Propose("--help", "Explains the verb");
  }

  void ProposeAll(const std::vector<std::string>& words) {
    for (const std::string& word : words) Propose(word);
  }

  /// What `metavar` stands for; `words` are those before it.
  void Values(std::string metavar, const std::vector<std::string>& words) {
    const bool many = metavar.ends_with(",...");
    if (metavar.ends_with("...")) metavar.erase(metavar.size() - 3);
    if (many) return AfterComma(metavar.substr(0, metavar.size() - 1));
    static constexpr std::array kFolders = {"FOLDER", "DIR", "PACKAGE", "POLICY", "A", "B"};
    static constexpr std::array kFiles = {"FILE", "FOLDER|FILE", "TRACE", "DEST", "CLUSTER"};
    const auto is_one_of = [&](const auto& names) {
      return std::find(names.begin(), names.end(), metavar) != names.end();
    };
    if (metavar == "LEDGER") {
      io_.out << ":ledgers\n";
    } else if (is_one_of(kFiles)) {
      io_.out << ":files\n";
    } else if (is_one_of(kFolders)) {
      io_.out << ":folders\n";
    } else if (metavar == "KIND") {
      for (const auto& [kind, name] : AllKinds()) Propose(name);
    } else if (metavar == "NAMESPACE") {
      ProposeAll(KnownNamespaces(db_));
    } else if (metavar == "NAMESPACE/WORKLOAD" || metavar == "WORKLOAD") {
      Names(Kind::kWorkload);
    } else if (metavar == "CONSUMER") {
      Names(Kind::kConsumer);
    } else if (metavar == "QUEUE" || metavar == "NS/NAME") {
      Names(metavar == "QUEUE" && ns_.empty() ? Kind::kClusterQueue : Kind::kLocalQueue);
    } else if (metavar == "NAME" && !words.empty()) {
      if (const std::optional<Kind> kind = FindKind(words.front())) Names(*kind);
    } else if (metavar.find('|') != std::string::npos && IsLower(metavar)) {
      ProposeAll(SplitAt(metavar, '|'));
    }
  }

  void Names(Kind kind) { ProposeAll(KnownNames(db_, kind, ns_)); }

  /// The next of several names with commas between them.
  void AfterComma(std::string_view metavar) {
    if (metavar != "STATE") return;
    const std::size_t comma = current_.rfind(',');
    const std::string before = comma == std::string::npos ? "" : current_.substr(0, comma + 1);
    for (const std::string& state : kWorkloadStates) Propose(before + state);
  }

  std::string current_;
  std::string option_;  ///< "--db=", where `current_` is behind that
  std::string db_;
  std::string ns_;
  std::size_t proposed_ = 0;
  Io& io_;
};

/// How many of `words` are the name of `info`; 0 when they are another's.
std::size_t Matches(const CommandInfo& info, const std::vector<std::string>& words) {
  const std::vector<std::string> name = SplitAt(info.name, ' ');
  if (words.size() < name.size()) return 0;
  return std::equal(name.begin(), name.end(), words.begin()) ? name.size() : 0;
}

}  // namespace

int Complete(const std::vector<std::unique_ptr<Command>>& commands,
             const std::vector<std::string>& words, Io& io) {
  std::vector<std::string> before = words;
  if (!before.empty() && before.front() == "--") before.erase(before.begin());
  if (before.empty()) return kDone;
  std::string current = std::move(before.back());
  before.pop_back();
  Completion completion(std::move(current), io);
  for (const auto& command : commands) {
    const std::size_t count = Matches(command->info(), before);
    if (count == 0) continue;
    before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(count));
    Flags flags;
    command->Declare(flags);
    completion.Words(command->info(), flags, before);
    return kDone;
  }
  const bool asks_help = !before.empty() && before.front() == "help";
  if (asks_help) before.erase(before.begin());
  completion.Verbs(commands, before);
  if (before.empty() && !asks_help) {
    completion.Propose("help", "Explains a verb");
    completion.Propose("--help", "Lists the verbs");
    completion.Propose("--version", "What the build is");
  }
  return kDone;
}

}  // namespace muster::cli
