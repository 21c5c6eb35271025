-- luacheck --config policies/api/luacheckrc.lua policies/NAME
-- The standard `muster_policy` names what exists in a policy, nothing else.
stds.muster_policy = {
  read_globals = {
    "assert", "error", "ipairs", "pairs", "pcall", "rawequal", "select", "tonumber", "tostring",
    "type", "unpack",
    bit = { fields = { "arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol", "ror",
      "rshift", "tobit", "tohex" } },
    math = { fields = { "abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp",
      "floor", "fmod", "frexp", "huge", "ldexp", "log", "log10", "max", "min", "modf", "pi", "rad",
      "sin", "sinh", "sqrt", "tan", "tanh" } },
    muster = { fields = { "clamp", "glob", "has", "hash", "pow", "split", "sq" } },
    string = { fields = { "byte", "contains", "find", "format", "len", "lower", "rep", "reverse",
      "sub", "upper" } },
    table = { fields = { "concat", "insert", "remove", "sort" } },
  },
}
std = "muster_policy"
files["**/*_spec.lua"].std = "luajit+busted"
files["**/*_spec.lua"].read_globals = { "fx", "cases", "prop", "gen", "laws", "golden",
  assert = { other_fields = true } }
