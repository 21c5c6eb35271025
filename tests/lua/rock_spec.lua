-- The rock holds every file of the module.
local support = require "support"

describe("the rock", function()
  it("lists every file", function()
    local rock = {}
    local path = "bindings/lua/muster-0.1.0-1.rockspec"
    local load_in = loadstring and function(text)
      return setfenv(loadstring(text), rock)
    end or function(text)
      return load(text, path, "t", rock)
    end
    load_in(support.read(path))()
    local listed = {}
    for name, file in pairs(rock.build.modules) do
      for _, each in ipairs(type(file) == "table" and file.sources or { file }) do
        listed[#listed + 1] = each
        assert.truthy(support.read("bindings/lua/" .. each), name)
      end
    end
    table.sort(listed)
    local found = {}
    local folder = os.getenv "MUSTER_TOP" .. "/bindings/lua"
    local files = io.popen("cd '" .. folder .. "' && ls *.c *.lua */*.lua")
    for line in files:lines() do
      found[#found + 1] = line
    end
    files:close()
    table.sort(found)
    assert.same(found, listed)
  end)
end)
