// What a policy file returned, as plain data: read and checked by the prelude.
#ifndef MUSTER_BINDINGS_LUAJIT_PACKAGE_TABLE_H_
#define MUSTER_BINDINGS_LUAJIT_PACKAGE_TABLE_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

struct lua_State;

namespace muster::luajit {

/// A mistake in the package table: `path` is the key it is under, as in "params.grace.min".
struct TableProblem {
  std::string path;
  std::string what;
  std::string cure;
};

struct TableHook {
  std::string hook;
  std::vector<std::string> reads;
  double every = 0;  ///< seconds; 0: not declared
  std::vector<std::pair<std::string, std::string>> per;  ///< parts of a key: by, label
  int line = 0;      ///< where its function begins
};

/// As the prelude spells it; span in seconds.
struct TableAccount {
  std::string name, by, label, of, resource, over;
  double span = 0;
  std::vector<std::pair<std::string, std::string>> also;   ///< further parts of a key: by, label
  std::vector<std::pair<std::string, std::string>> where;  ///< labels and their values
};

struct PackageTable {
  std::string name;
  std::string description;
  std::vector<std::string> labels;
  bool reject_on_error = false;
  std::vector<TableAccount> accounts;
  std::vector<TableHook> hooks;
  std::map<std::string, double> numbers;     ///< parameters that are numbers, as hooks see them
  std::map<std::string, std::string> texts;  ///< and those that are texts
  std::vector<std::string> elements;         ///< keys of maps and texts in lists, of all of them
  std::vector<TableProblem> problems;        ///< when not empty the rest is not filled
};

/// Reads the prelude's description of a package from the top of the stack. May raise.
void ReadPackageTable(lua_State* lua, PackageTable& table);

}  // namespace muster::luajit

#endif  // MUSTER_BINDINGS_LUAJIT_PACKAGE_TABLE_H_
