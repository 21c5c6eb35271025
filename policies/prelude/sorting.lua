-- Sorting by merging: n log2 n comparisons whatever the order of the values was, where the one of
-- LuaJIT takes their square. Equal values stay in their order.
local sorting = {}

-- Units for putting `count` values in order, the texts among them of up to `longest` bytes.
function sorting.units(count, longest)
  return count * math.max(1, math.log(count + 1) / math.log(2)) * (1 + longest / 2048)
end

local function before(a, b) return a < b end

-- Puts into `to` the runs of `from` that begin at `first` and at `second`; the latter ends in front
-- of `last`.
local function merge(from, to, first, second, last, less)
  local i, j = first, second
  for k = first, last - 1 do
    if j >= last or (i < second and not less(from[j], from[i])) then
      to[k] = from[i]
      i = i + 1
    else
      to[k] = from[j]
      j = j + 1
    end
  end
end

-- Sorts the first `count` values of `list`, which stays as it is when `less` raises. `less` may be
-- the policy's own: one that says of equal values that both come first is found out.
function sorting.sort(list, count, less)
  less = less or before
  local from, to, run = {}, {}, 1
  for i = 1, count do from[i] = list[i] end
  while run < count do
    for first = 1, count, 2 * run do
      local second = math.min(first + run, count + 1)
      merge(from, to, first, second, math.min(second + run, count + 1), less)
    end
    from, to, run = to, from, 2 * run
  end
  for i = 2, count do
    if less(from[i], from[i - 1]) then error("invalid order function for sorting", 0) end
  end
  for i = 1, count do list[i] = from[i] end
end

return sorting
