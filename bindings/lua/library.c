/* Finds libmuster. Method: the library runs policies in LuaJIT, whose functions have the names of
 * those of the Lua that runs this module. So it is loaded with RTLD_DEEPBIND: what it calls is
 * looked for in what it links before what the process has. Linked the common way it would call into
 * the wrong Lua, and crash.
 */
#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* RTLD_DEEPBIND */
#endif
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/lua/door.h"

#define ABI_VERSION 5

door_library lib;

/* Puts the function `name` into `*pointer`; ISO C knows no other way from one to the other. */
static int look_up(void *library, const char *name, void *pointer) {
  void *found = dlsym(library, name);
  memcpy(pointer, &found, sizeof found);
  return found != NULL;
}

const char *door_load(lua_State *lua) {
  if (lib.muster_abi_version != NULL) return NULL;
  const char *named = getenv("MUSTER_LIBRARY");
  void *library = dlopen(named == NULL ? "libmuster.so.1" : named, RTLD_NOW | RTLD_DEEPBIND);
  if (library == NULL) return lua_pushfstring(lua, "%s", dlerror());
  door_library found;
#define DOOR_LOOK_UP(name)                                                \
  if (!look_up(library, "muster_" #name, (void *)&found.muster_##name)) { \
    return lua_pushfstring(lua, "%s", dlerror());                         \
  }
  DOOR_FUNCTIONS(DOOR_LOOK_UP)
  if (found.muster_abi_version() < ABI_VERSION) {
    return lua_pushfstring(lua,
                           "libmuster speaks version %d of its interface, and this module needs "
                           "%d; install a newer library",
                           (int)found.muster_abi_version(), ABI_VERSION);
  }
  lib = found;
  return NULL;
}
