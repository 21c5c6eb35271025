-- More outer locals than a function can have.
-- refused: upvalues
local a0, b0, c0, d0, e0, f0, g0 = 1, 1, 1, 1, 1, 1, 1
local a1, b1, c1, d1, e1, f1, g1 = 1, 1, 1, 1, 1, 1, 1
local a2, b2, c2, d2, e2, f2, g2 = 1, 1, 1, 1, 1, 1, 1
local a3, b3, c3, d3, e3, f3, g3 = 1, 1, 1, 1, 1, 1, 1
local a4, b4, c4, d4, e4, f4, g4 = 1, 1, 1, 1, 1, 1, 1
local a5, b5, c5, d5, e5, f5, g5 = 1, 1, 1, 1, 1, 1, 1
local a6, b6, c6, d6, e6, f6, g6 = 1, 1, 1, 1, 1, 1, 1
local a7, b7, c7, d7, e7, f7, g7 = 1, 1, 1, 1, 1, 1, 1
local a8, b8, c8, d8, e8, f8, g8 = 1, 1, 1, 1, 1, 1, 1
local a9, b9, c9, d9, e9, f9, g9 = 1, 1, 1, 1, 1, 1, 1
return {
  api = 1,
  name = "hostile",
  queue_order = function()
    return a0 + b0 + c0 + d0 + e0 + f0 + g0
      + a1 + b1 + c1 + d1 + e1 + f1 + g1
      + a2 + b2 + c2 + d2 + e2 + f2 + g2
      + a3 + b3 + c3 + d3 + e3 + f3 + g3
      + a4 + b4 + c4 + d4 + e4 + f4 + g4
      + a5 + b5 + c5 + d5 + e5 + f5 + g5
      + a6 + b6 + c6 + d6 + e6 + f6 + g6
      + a7 + b7 + c7 + d7 + e7 + f7 + g7
      + a8 + b8 + c8 + d8 + e8 + f8 + g8
      + a9 + b9 + c9 + d9 + e9 + f9 + g9
  end,
}
