// The tables read here were made by the prelude: plain, without metatables.
#include "bindings/luajit/package_table.h"

#include <algorithm>
#include <lua.hpp>

namespace muster::luajit {
namespace {

void ReadText(lua_State* lua, const char* key, std::string& text) {
  lua_getfield(lua, -1, key);
  std::size_t size = 0;
  if (const char* data = lua_tolstring(lua, -1, &size)) text.assign(data, size);
  lua_pop(lua, 1);
}

// Calls `read` with element i of the list on top of the stack, for each i.
template <typename F>
void ForEach(lua_State* lua, const F& read) {
  const int count = static_cast<int>(lua_objlen(lua, -1));
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(lua, -1, i);
    read();
    lua_pop(lua, 1);
  }
}

void ReadList(lua_State* lua, const char* key, std::vector<std::string>& list) {
  lua_getfield(lua, -1, key);
  if (lua_istable(lua, -1)) {
    ForEach(lua, [&] { list.emplace_back(lua_tostring(lua, -1)); });
  }
  lua_pop(lua, 1);
}

double ReadNumber(lua_State* lua, const char* key) {
  lua_getfield(lua, -1, key);
  const double value = lua_tonumber(lua, -1);
  lua_pop(lua, 1);
  return value;
}

/// A list of pairs of texts.
void ReadPairs(lua_State* lua, const char* key,
               std::vector<std::pair<std::string, std::string>>& pairs) {
  lua_getfield(lua, -1, key);
  if (lua_istable(lua, -1)) {
    ForEach(lua, [&] {
      lua_rawgeti(lua, -1, 1);
      lua_rawgeti(lua, -2, 2);
      pairs.emplace_back(lua_tostring(lua, -2), lua_tostring(lua, -1));
      lua_pop(lua, 2);
    });
  }
  lua_pop(lua, 1);
}

void ReadHook(lua_State* lua, TableHook& hook) {
  ReadText(lua, "hook", hook.hook);
  ReadList(lua, "reads", hook.reads);
  hook.every = ReadNumber(lua, "every");
  ReadPairs(lua, "per", hook.per);
  hook.line = static_cast<int>(ReadNumber(lua, "line"));
}

void ReadAccount(lua_State* lua, TableAccount& account) {
  ReadText(lua, "name", account.name);
  ReadText(lua, "by", account.by);
  ReadText(lua, "label", account.label);
  ReadText(lua, "of", account.of);
  ReadText(lua, "resource", account.resource);
  ReadText(lua, "over", account.over);
  account.span = ReadNumber(lua, "span");
  ReadPairs(lua, "also", account.also);
  ReadPairs(lua, "where", account.where);
}

std::string TextAt(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* data = lua_tolstring(lua, index, &size);
  return {data, size};
}

// A parameter is on top of the stack, its name below it.
void ReadParameter(lua_State* lua, PackageTable& table) {
  const std::string name = TextAt(lua, -2);
  switch (lua_type(lua, -1)) {
    case LUA_TNUMBER:
      table.numbers[name] = lua_tonumber(lua, -1);
      break;
    case LUA_TSTRING:
      table.texts[name] = TextAt(lua, -1);
      break;
    case LUA_TTABLE:
      for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
        if (lua_type(lua, -2) == LUA_TSTRING) table.elements.push_back(TextAt(lua, -2));
        if (lua_type(lua, -1) == LUA_TSTRING) table.elements.push_back(TextAt(lua, -1));
      }
      break;
    default:
      break;
  }
}

void ReadParameters(lua_State* lua, PackageTable& table) {
  lua_getfield(lua, -1, "params");
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) ReadParameter(lua, table);
  lua_pop(lua, 1);
  std::sort(table.elements.begin(), table.elements.end());
}

}  // namespace

void ReadPackageTable(lua_State* lua, PackageTable& table) {
  lua_getfield(lua, -1, "problems");
  ForEach(lua, [&] {
    TableProblem& problem = table.problems.emplace_back();
    ReadText(lua, "path", problem.path);
    ReadText(lua, "what", problem.what);
    ReadText(lua, "cure", problem.cure);
  });
  lua_pop(lua, 1);
  if (!table.problems.empty()) return;
  ReadText(lua, "name", table.name);
  ReadText(lua, "description", table.description);
  ReadList(lua, "labels", table.labels);
  ReadParameters(lua, table);
  lua_getfield(lua, -1, "reject_on_error");
  table.reject_on_error = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  lua_getfield(lua, -1, "accounts");
  ForEach(lua, [&] { ReadAccount(lua, table.accounts.emplace_back()); });
  lua_pop(lua, 1);
  lua_getfield(lua, -1, "hooks");
  ForEach(lua, [&] { ReadHook(lua, table.hooks.emplace_back()); });
  lua_pop(lua, 1);
}

}  // namespace muster::luajit
