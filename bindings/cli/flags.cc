// CLI11 only splits words; conversions, choices and every message are made here.
#include "bindings/cli/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "bindings/manifest/closest.h"
#include "engine/base/join.h"

namespace muster::cli {
namespace {

/// "--namespace" of "-n,--namespace".
std::string LongName(std::string_view spelling) {
  const std::size_t comma = spelling.find(',');
  return std::string(comma == std::string_view::npos ? spelling : spelling.substr(comma + 1));
}

std::string Proposal(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return manifest::ProposeName(word, views);
}

/// The option a CLI11 message is about: all before its first colon or blank.
std::string Subject(std::string_view message) {
  return std::string(message.substr(0, message.find_first_of(": ")));
}

}  // namespace

struct Flags::Parser {
  Parser() {
    app.set_help_flag();
    app.allow_extras();
  }
  CLI::App app;
  std::vector<std::string>* rest = nullptr;
  struct Word {
    std::string metavar;
    const CLI::Option* option;
    const std::string* value;
  };
  std::vector<Word> words;
};

Flags::Flags() : parser_(std::make_unique<Parser>()) {}
Flags::~Flags() = default;

void Flags::Document(std::string_view spelling, std::string_view metavar, std::string_view doc) {
  std::string shown(spelling);
  if (const std::size_t comma = shown.find(','); comma != std::string::npos) {
    shown.insert(comma + 1, " ");
  } else {
    shown.insert(0, "    ");
  }
  if (!metavar.empty()) shown += " " + std::string(metavar);
  docs_.push_back({std::move(shown), std::string(doc), false});
  long_names_.push_back(LongName(spelling));
}

void Flags::Required(std::string_view metavar, std::string* value, std::string_view doc) {
  const std::string name = "word" + std::to_string(docs_.size());
  const CLI::Option* const option = parser_->app.add_option(name, *value)->required();
  parser_->words.push_back({std::string(metavar), option, value});
  docs_.push_back({std::string(metavar), std::string(doc), true});
}

void Flags::Optional(std::string_view metavar, std::string* value, std::string_view doc) {
  const CLI::Option* const option =
      parser_->app.add_option("word" + std::to_string(docs_.size()), *value);
  parser_->words.push_back({std::string(metavar), option, value});
  docs_.push_back({"[" + std::string(metavar) + "]", std::string(doc), true});
}

void Flags::Rest(std::vector<std::string>* values) { parser_->rest = values; }

void Flags::Text(std::string_view spelling, std::string_view metavar, std::string* value,
                 std::string_view doc) {
  const CLI::Option* const option = parser_->app.add_option(std::string(spelling), *value)
                                        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  checks_.emplace_back([option, value, name = LongName(spelling)]() -> std::optional<std::string> {
    if (option->count() > 1) return name + " is given twice; leave one out";
    if (option->count() == 1 && value->empty()) return name + " needs a value";
    return std::nullopt;
  });
  Document(spelling, metavar, doc);
}

void Flags::List(std::string_view spelling, std::string_view metavar,
                 std::vector<std::string>* values, std::string_view doc) {
  parser_->app.add_option(std::string(spelling), *values);
  Document(spelling, metavar, doc);
}

void Flags::CommaList(std::string_view spelling, std::string_view metavar,
                      std::vector<std::string>* values, std::string_view doc) {
  parser_->app.add_option(std::string(spelling), *values)->delimiter(',')->allow_extra_args(false);
  Document(spelling, metavar, doc);
}

void Flags::Count(std::string_view spelling, std::string_view metavar, std::optional<int>* value,
                  std::string_view doc) {
  const auto text = std::make_shared<std::string>();
  Text(spelling, metavar, text.get(), doc);
  checks_.emplace_back([text, value, name = LongName(spelling)]() -> std::optional<std::string> {
    if (text->empty()) return std::nullopt;
    int number = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, number);
    if (error != std::errc() || stop != end || number < 1) {
      return name + " takes a whole number from 1 to " +
             std::to_string(std::numeric_limits<int>::max()) + ", not '" + *text + "'";
    }
    *value = number;
    return std::nullopt;
  });
}

void Flags::Choice(std::string_view spelling, std::string* value, std::vector<std::string> choices,
                   std::string_view doc) {
  Text(spelling, Join(choices, "|"), value, doc);
  checks_.emplace_back([value, choices = std::move(choices),
                        name = LongName(spelling)]() -> std::optional<std::string> {
    if (std::find(choices.begin(), choices.end(), *value) != choices.end()) return std::nullopt;
    return name + " does not take '" + *value + "'; " + Proposal(*value, choices);
  });
}

void Flags::Switch(std::string_view spelling, bool* value, std::string_view doc) {
  parser_->app.add_flag(std::string(spelling), *value);
  Document(spelling, "", doc);
}

std::string Flags::UnknownWord(const std::string& word) const {
  if (!word.starts_with('-')) return "'" + word + "' is one word too many";
  const std::string name = word.substr(0, word.find('='));
  return "there is no option " + name + "; " + Proposal(name, long_names_);
}

std::optional<std::string> Flags::Parse(const std::vector<std::string>& args) {
  std::string failure;
  try {
    std::vector<std::string> reversed(args.rbegin(), args.rend());
    parser_->app.parse(std::move(reversed));
  } catch (const CLI::RequiredError&) {
    failure = "required";
  } catch (const CLI::ParseError& error) {
    return Subject(error.what()) + " needs a value";
  }
  const std::vector<std::string> extras = parser_->app.remaining();
  for (const std::string& word : extras) {
    const bool dash = word.size() > 1 && word.starts_with('-');
    if (dash || parser_->rest == nullptr) return UnknownWord(word);
  }
  if (!failure.empty()) {
    for (const Parser::Word& word : parser_->words) {
      if (word.option->get_required() && word.option->count() == 0) {
        return word.metavar + " is missing";
      }
    }
  }
  // A variable of a script that is not set: it does not mean all there are.
  for (const Parser::Word& word : parser_->words) {
    if (word.option->count() > 0 && word.value->empty()) return word.metavar + " is empty";
  }
  if (parser_->rest != nullptr) {
    parser_->rest->insert(parser_->rest->end(), extras.begin(), extras.end());
  }
  for (const auto& check : checks_) {
    if (std::optional<std::string> wrong = check()) return wrong;
  }
  return std::nullopt;
}

std::vector<std::string> Flags::Given() const {
  std::vector<std::string> given;
  for (const CLI::Option* const option : parser_->app.get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    given.push_back("--" + option->get_lnames().front());
  }
  return given;
}

}  // namespace muster::cli
