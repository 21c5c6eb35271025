// Flags: what a verb accepts on its command line, declared once for parsing and for help.
//
// A thin wrapper over CLI11, which stays in flags.cc: every value arrives as text and is checked
// here, so that each mistake gets a sentence that says what to write instead.
#ifndef MUSTER_BINDINGS_CLI_FLAGS_H_
#define MUSTER_BINDINGS_CLI_FLAGS_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::cli {

struct FlagDoc {
  std::string spelling;  ///< as help shows it: "-n, --namespace NS"
  std::string doc;
  bool positional = false;
};

class Flags {
 public:
  Flags();
  ~Flags();

  // Spellings are CLI11's: "-n,--namespace". The targets must outlive Parse.

  /// A word the verb cannot do without, shown as `metavar`.
  void Required(std::string_view metavar, std::string* value, std::string_view doc);
  /// A word that may follow the required ones.
  void Optional(std::string_view metavar, std::string* value, std::string_view doc);
  /// All words that are left; `option` is where they belong ("-f").
  void Rest(std::vector<std::string>* values);

  /// One word, not empty, at most once: of two ledgers or namespaces one would be ignored.
  void Text(std::string_view spelling, std::string_view metavar, std::string* value,
            std::string_view doc);
  /// Takes every word up to the next option, and may be repeated.
  void List(std::string_view spelling, std::string_view metavar, std::vector<std::string>* values,
            std::string_view doc);
  /// One word of names with commas between them.
  void CommaList(std::string_view spelling, std::string_view metavar,
                 std::vector<std::string>* values, std::string_view doc);
  /// A whole number, at least 1.
  void Count(std::string_view spelling, std::string_view metavar, std::optional<int>* value,
             std::string_view doc);
  void Choice(std::string_view spelling, std::string* value, std::vector<std::string> choices,
              std::string_view doc);
  void Switch(std::string_view spelling, bool* value, std::string_view doc);

  /// Fills the targets; nullopt when all went well, else what is wrong and what to write instead.
  std::optional<std::string> Parse(const std::vector<std::string>& args);

  /// Long names of the options that Parse found: "--namespace".
  std::vector<std::string> Given() const;

  const std::vector<FlagDoc>& docs() const { return docs_; }

 private:
  struct Parser;

  void Document(std::string_view spelling, std::string_view metavar, std::string_view doc);
  std::string UnknownWord(const std::string& word) const;

  std::unique_ptr<Parser> parser_;
  std::vector<FlagDoc> docs_;
  std::vector<std::string> long_names_;  ///< "--namespace", for suggestions
  std::vector<std::function<std::optional<std::string>()>> checks_;
};

}  // namespace muster::cli

#endif  // MUSTER_BINDINGS_CLI_FLAGS_H_
