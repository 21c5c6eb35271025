"""Rules about includes: which layer may see which. docs/decisions/0002-layers.md has the drawing.

LAYERS lists, for each folder, the folders it may include besides itself. `public` stands for
engine/include, `facade` for the public header of bindings/cpp. Tests may include everything.
"""

import os
import re

from tree import Complaint, rule, without_comments

def engine(folders):
    """Those folders of the engine, and its public headers."""
    return {"engine/include"} | {"engine/" + folder for folder in folders.split()}


LAYERS = {
    "engine/include": set(),
    "engine/base": {"engine/include"},
    "engine/model": engine("base"),
    "engine/validity": engine("base model"),
    "engine/codec": engine("base model"),
    "engine/quota": engine("base model"),
    "engine/topology": engine("base model"),
    "engine/placing": engine("base model topology"),
    "engine/segments": engine("base model topology placing"),
    "engine/capacity": engine("base model quota topology"),
    "engine/queue": engine("base model"),
    "engine/state": engine("base model codec quota topology capacity queue"),
    "engine/kin": engine("base model state"),
    "engine/record": engine("base model codec quota queue state kin"),
    "engine/policy": engine("base model validity codec quota queue state record"),
    "engine/flavors": engine("base model quota state policy"),
    "engine/assign": engine("base model quota topology state kin policy flavors"),
    "engine/preempt": engine("base model quota capacity state policy assign"),
    "engine/known": engine("base model quota capacity state policy assign preempt"),
    "engine/hand_over": engine("base model state"),
    "engine/life": engine("base model codec quota topology capacity queue state kin record assign "
                          "preempt hand_over"),
    "engine/concurrent": engine("base model state kin record hand_over life"),
    "engine/domains": engine("base model topology placing capacity state policy"),
    "engine/places": engine("base model topology placing segments capacity state policy domains "
                            "assign"),
    "engine/nodes": engine("base model topology capacity state policy assign hand_over life "
                           "places"),
    "engine/command": engine("base model codec quota queue state kin record policy life nodes"),
    "engine/cycle": engine("base model quota topology capacity queue state kin policy flavors "
                           "assign preempt known life concurrent places nodes"),
    "engine/cure": engine("base model quota state"),
    "engine/remedy": engine("base model quota state cure"),
    "engine/certify": engine("base model quota capacity state policy assign preempt"),
    "engine/misfits": engine("base model quota topology placing state places"),
    "engine/explain": engine("base model quota topology queue state kin policy assign preempt life "
                             "places cycle cure remedy certify misfits"),
    "engine/api": engine("base model validity codec state kin record policy hand_over life "
                         "concurrent command cycle explain misfits"),
    "db": engine("base model codec"),
    "db/sqlite": engine("base model codec") | {"db"},
    "db/digests": set(),
    "db/batches": engine("base model codec") | {"db"},
    "db/postgres": engine("base model codec") | {"db", "db/batches", "db/digests"},
    "db/follow": engine("base model codec") | {"db", "db/postgres"},
    "db/rescue": engine("base model codec") | {"db", "db/sqlite"},
    "bindings/objects": engine("base model"),
    "bindings/manifest": engine("base model codec") | {"bindings/objects"},
    "bindings/convert": engine("base model") | {"bindings/objects", "bindings/manifest"},
    "bindings/luajit": engine("base model"),
    "bindings/wire": engine("base model codec") | {"bindings/manifest"},
    "bindings/cpp": engine("base model codec") | {"db", "db/sqlite", "db/postgres",
                                                  "bindings/manifest", "bindings/luajit"},
    "bindings/trees": engine("base") | {"db", "db/postgres", "bindings/cpp"},
    "bindings/shards": engine("base") | {"db", "db/postgres"},
    "bindings/upkeep": engine("base model codec") | {"db", "db/sqlite", "db/postgres",
                                                     "db/rescue", "bindings/cpp"},
    "bindings/lab": engine("base model codec") | {"db", "db/sqlite", "bindings/manifest",
                                                  "bindings/luajit", "bindings/cpp"},
    "bindings/simulate": engine("base model codec") | {"db", "bindings/manifest", "bindings/cpp",
                                                       "bindings/lab", "bindings/places"},
    "bindings/report": engine("base") | {"bindings/lab", "bindings/simulate"},
    "bindings/eta": engine("base model") | {"db", "bindings/cpp", "bindings/lab",
                                            "bindings/simulate"},
    "bindings/places": engine("base model") | {"bindings/lab"},
    "bindings/defrag": engine("base model") | {"bindings/lab", "bindings/places"},
    "bindings/plain": engine("base"),
    "bindings/stop": engine("base model") | {"bindings/lab"},
    "bindings/metrics": engine("base model") | {"bindings/lab", "bindings/places"},
    "bindings/http": engine("base model codec") | {"db", "bindings/manifest", "bindings/wire",
                                                   "bindings/cpp", "bindings/lab",
                                                   "bindings/metrics", "bindings/stop"},
    "bindings/remote": engine("base model") | {"bindings/manifest"},
    "bindings/cli": engine("base model codec") | {"db", "db/sqlite", "db/follow",
                                                  "bindings/objects",
                                                  "bindings/manifest", "bindings/convert",
                                                  "bindings/luajit", "bindings/wire",
                                                  "bindings/cpp", "bindings/upkeep",
                                                  "bindings/lab", "bindings/simulate",
                                                  "bindings/report", "bindings/eta",
                                                  "bindings/places", "bindings/defrag",
                                                  "bindings/plain", "bindings/stop",
                                                  "bindings/trees", "bindings/shards",
                                                  "bindings/http", "bindings/remote"},
    "bindings/c": engine("base model codec") | {"db", "bindings/manifest", "bindings/luajit",
                                                "bindings/wire", "bindings/cpp", "bindings/lab",
                                                "bindings/cli"},
    "bindings/lua": {"bindings/c"},
    "examples": {"engine/include", "bindings/cpp", "bindings/c"},
}

# Most lines of code, without comments and blank ones, that a folder may hold. What needs more has
# found a new idea, which gets a folder of its own.
CEILINGS = {
    "engine/include": 2040, "engine/base": 1230, "engine/model": 1300, "engine/validity": 1760,
    "engine/codec": 2150, "engine/quota": 600, "engine/topology": 1350, "engine/placing": 1250,
    "engine/segments": 640, "engine/capacity": 400, "engine/queue": 1250, "engine/state": 4505,
    "engine/kin": 440, "engine/record": 1610, "engine/policy": 3640, "engine/flavors": 400,
    "engine/assign": 1150, "engine/preempt": 2530, "engine/known": 150, "engine/hand_over": 300,
    "engine/life": 2010, "engine/concurrent": 480,
    "engine/domains": 300, "engine/places": 620, "engine/nodes": 300, "engine/command": 1000,
    "engine/cycle": 2360, "engine/cure": 800, "engine/remedy": 400, "engine/certify": 400,
    "engine/misfits": 450,
    "engine/explain": 2270, "engine/api": 1650, "db": 980, "db/batches": 310, "db/digests": 50,
    "db/sqlite": 3300,
    "db/postgres": 2900, "db/rescue": 500, "db/follow": 420, "bindings/objects": 5100,
    "bindings/manifest": 11400, "bindings/convert": 800,
    "bindings/luajit": 6700, "bindings/wire": 1350, "bindings/cpp": 2650, "bindings/upkeep": 850,
    "bindings/lab": 3890, "bindings/simulate": 2370, "bindings/report": 950, "bindings/eta": 1160,
    "bindings/places": 600, "bindings/defrag": 660, "bindings/plain": 200, "bindings/stop": 200,
    "bindings/trees": 620, "bindings/shards": 620,
    "bindings/metrics": 600, "bindings/http": 5330, "bindings/remote": 400, "bindings/cli": 17450,
    "bindings/c": 2480, "bindings/lua": 1000,
}

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono
cinttypes climits clocale cmath compare complex concepts condition_variable coroutine csetjmp
csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception
execution filesystem format forward_list fstream functional future initializer_list iomanip ios
iosfwd iostream istream iterator latch limits list locale map memory memory_resource mutex new
numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore set
shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view
syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set
utility valarray variant vector version
""".split())

# The engine is a state machine: no clock, no chance, no threads, no files, no terminal.
WORLD = set("""
barrier chrono condition_variable csignal ctime execution filesystem fstream future iostream latch
mutex random semaphore shared_mutex stop_token syncstream thread
""".split())

# Pattern of an include -> where it may be besides the tests. What is neither here nor standard nor
# POSIX is a dependency that was not decided on.
THIRD_PARTY = [
    (r"yaml-cpp/.*", {"bindings/manifest"}),
    (r"yaml\.h", {"bindings/manifest"}),
    (r"(lua|lauxlib|lualib|luajit)\.(h|hpp)", {"bindings/luajit", "bindings/lua"}),
    (r"sqlite3(ext)?\.h", {"db/sqlite"}),
    (r"libpq-fe\.h", {"db/postgres"}),
    (r"tsl/.*", {"db/postgres"}),
    (r"nlohmann/.*",
     {"bindings/wire", "bindings/lab", "bindings/remote", "bindings/cli", "bindings/manifest"}),
    (r"(CLI|fmt)/.*", {"bindings/cli"}),
    (r"(stddef|stdint|stdio|stdlib|string)\.h", {"bindings/c", "bindings/lua", "examples"}),
    (r"spdlog/.*", {"bindings/cpp", "bindings/cli"}),
    (r"zlib\.h", {"bindings/simulate"}),
    (r"sodium(/.*)?\.h", {"db", "db/digests", "bindings/luajit", "bindings/http"}),
    (r"boost/.*", {"bindings/http", "bindings/remote"}),
    (r"openssl/.*", {"bindings/http"}),
    (r"(gtest|gmock|benchmark)/.*", set()),
    (r"(jemalloc/.*|malloc\.h)", set()),  # what is allocated
]
POSIX = re.compile(r"(sys/\w+|arpa/inet|netinet/\w+|fcntl|unistd|signal|poll|pwd|dirent|dlfcn|"
                   r"pthread|spawn|termios|time|elf|glob|fnmatch|sched)\.h")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
WORLD_CALLS = re.compile(r"\b(std::time|std::clock|clock_gettime|gettimeofday|std::rand|srand|"
                         r"getenv|printf|puts|fopen|system)\s*\(")


def folder_of(path):
    """The layer a path belongs to: two components in engine, bindings and db, else one."""
    parts = path.split("/")
    inner = parts[0] in ("engine", "bindings") or (parts[0] == "db" and len(parts) > 2)
    return "/".join(parts[:2] if inner else parts[:1])


def includes(text):
    """(line, is quoted, name) of each include."""
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match.group(1) == '"', match.group(2)


def resolve(tree, name):
    """Path of the file that a quoted include means, or None."""
    for prefix in ("", "engine/include/", "bindings/cpp/include/", "bindings/c/include/"):
        if prefix + name in tree.files:
            return prefix + name
    return None


def beside(tree, path, name):
    """The file of that name in the folder of an example's source, or None."""
    target = os.path.join(os.path.dirname(path), name)
    return target if path.startswith("examples/") and target in tree.files else None


def edges(tree, folders=()):
    """(path, line, target path) of each include inside the project."""
    for path, text in tree.code(*folders):
        for line, quoted, name in includes(text):
            target = resolve(tree, name) or beside(tree, path, name) if quoted else None
            if target:
                yield path, line, target


@rule
def includes_name_the_whole_path(tree):
    """A quoted include names an existing file by its path from the top; an example is a project
    of its own and names what lies beside it."""
    for path, text in tree.code():
        for line, quoted, name in includes(text):
            if quoted and not (resolve(tree, name) or beside(tree, path, name)):
                yield Complaint(path, line, f'no file "{name}"; write its path from the top')


@rule
def public_headers_stand_alone(tree):
    """Public headers include the standard library and each other, nothing else."""
    for path, text in tree.code("engine/include/"):
        for line, quoted, name in includes(text):
            target = resolve(tree, name)
            inside = target and target.startswith("engine/include/")
            if (quoted and not inside) or (not quoted and name not in STANDARD):
                yield Complaint(path, line, f"a public header must not include {name}")


@rule
def engine_touches_no_world(tree):
    """The engine includes only the standard library, without clocks, threads, files, chance."""
    for path, text in tree.code("engine/"):
        for line, quoted, name in includes(text):
            if not quoted and (name not in STANDARD or name in WORLD):
                yield Complaint(path, line, f"<{name}> in the engine; let a binding hand it in")
        for match in WORLD_CALLS.finditer(without_comments(text)):
            line = text.count("\n", 0, match.start()) + 1
            yield Complaint(path, line, f"{match.group(1)} in the engine; take it as an argument")


@rule
def third_party_stays_in_its_folder(tree):
    """Each third-party library is seen by the folders that bind it, and spdlog by one file."""
    log_files = set()
    for path, text in tree.code():
        for line, quoted, name in includes(text):
            if quoted or name in STANDARD or POSIX.fullmatch(name):
                continue
            allowed = next((f for pattern, f in THIRD_PARTY if re.fullmatch(pattern, name)), None)
            if name.startswith("spdlog/"):
                log_files.add((path, line))
            if allowed is None:
                yield Complaint(path, line, f"<{name}> is no decided dependency")
            elif folder_of(path) not in allowed | {"tests"}:
                where = ", ".join(sorted(allowed)) or "tests"
                yield Complaint(path, line, f"<{name}> belongs only in {where}")
    if len({path for path, _ in log_files}) > 1:
        for path, line in sorted(log_files):
            yield Complaint(path, line, "spdlog is included by more than one file; share a header")


@rule
def folders_see_only_what_lies_below(tree):
    """A folder includes only the folders that LAYERS allows it."""
    for path, line, target in edges(tree):
        own, other = folder_of(path), folder_of(target)
        if own == "tests" or own == other:
            continue
        if own not in LAYERS:
            yield Complaint(path, line, f"{own} has no line in LAYERS (tests/tidy)")
        elif other not in LAYERS[own]:
            yield Complaint(path, line, f"{own} must not see {other} ({target})")


@rule
def folders_stay_below_their_ceiling(tree):
    """No folder of the product holds more code than CEILINGS allows it."""
    sizes = {}
    for path, text in tree.code():
        if folder_of(path) in CEILINGS:
            lines = sum(bool(line.strip()) for line in without_comments(text).splitlines())
            sizes[folder_of(path)] = sizes.get(folder_of(path), 0) + lines
        elif path.startswith(("engine/", "bindings/", "db/")):
            yield Complaint(path, 1, f"{folder_of(path)} has no line in CEILINGS (tests/tidy)")
    for folder, lines in sizes.items():
        if lines > CEILINGS[folder]:
            yield Complaint(folder, 1, f"{lines} lines of code, {CEILINGS[folder]} are allowed; "
                                       "give the new idea in it a folder of its own")


@rule
def includes_form_no_circle(tree):
    """Neither folders nor files include each other in a circle."""
    for level in (folder_of, str):
        graph = {}
        for path, _, target in edges(tree):
            if level(path) != level(target):
                graph.setdefault(level(path), set()).add(level(target))
        circle = find_circle(graph)
        if circle:
            yield Complaint(circle[0], 1, "includes form a circle: " + " -> ".join(circle))


def find_circle(graph):
    """A list of nodes that ends where it begins, or None."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return None
        trail.append(node)
        for following in sorted(graph.get(node, ())):
            circle = visit(following)
            if circle:
                return circle
        done.add(trail.pop())
        return None

    for start in sorted(graph):
        circle = visit(start)
        if circle:
            return circle
    return None
