-- luacheck's settings for the whole tree; those for a policy author are policies/api/luacheckrc.lua.
std = "luajit"
max_line_length = 100
-- "not (x < y)" is not "x >= y" when one of them is NaN, and scores may be.
ignore = { "581" }
-- The editor's types declare what only exists inside the engine; the other is configuration.
exclude_files = { "policies/api" }
files["tests/lua/*_spec.lua"] = { std = "luajit+busted", globals = { "setfenv", "loadstring" } }
for _, folder in ipairs { "policies", "examples" } do
  files[folder .. "/**/policy.lua"] = {
    read_globals = { "muster", string = { fields = { "contains" } } },
  }
  files[folder .. "/**/*_spec.lua"] = {
    std = "+busted",
    read_globals = { "fx", "cases", "prop", "gen", "laws", "golden",
      assert = { other_fields = true } },
  }
end
