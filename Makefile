# Muster's front door: every target is one word, `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help demo serve-demo test check long lint asan asan-rest tsan same-bytes night mutations \
  deps deps-dev build profiled format tidy clean install wheel packages bench bench-lab \
  bench-service bench-takeover bench-takeover-shards bench-compare
.NOTPARALLEL:

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
RELEASE := build/release
COUNTING := build/counting
PROFILED := build/profiled
# What bench-lab and bench-service measure; BUILD=build/profiled is what the packages have.
BUILD ?= $(RELEASE)
# Where ctest leaves its results, one file a stage; .ci/run adds them up.
RESULTS := $(CURDIR)/build/results
CTEST := python3 tests/ci/run_ctest.py --output-on-failure --no-tests=error -j $(JOBS)
# The sanitizers of clang 14 do not survive the address randomisation of newer kernels.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: deps ## build the command and watch it decide, in two minutes
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target muster_binary -j $(JOBS)
	@MUSTER=$(CURDIR)/$(RELEASE)/bin/muster examples/gpu-preemption/demo.sh

serve-demo: deps ## a service with two teams and a day of jobs, to look at in a browser
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target muster_binary -j $(JOBS)
	@MUSTER=$(CURDIR)/$(RELEASE)/bin/muster python3 examples/gpu-preemption/serve.py

test: build ## run every test but the long ones (15 minutes, build included)
	@$(CTEST) --test-dir $(RELEASE) -LE 'long|night' --output-junit $(RESULTS)/test.xml

check: deps-dev lint tidy long same-bytes ## sanitizers, analysis, long tests (45 minutes)

night: check asan-rest tsan mutations packages ## what takes longer, planted defects (3 hours)
	@MUSTER_FRESH=1 $(CTEST) --test-dir $(RELEASE) -L night --output-junit $(RESULTS)/night.xml

# In a copy of the sources, build/mutations, which is built without optimisation.
mutations: deps ## plant defects in quota, preemption, cycle and store: a test must fail for each
	@tests/mutations/run.py -j $(JOBS)

long: build
	@cmake --build $(RELEASE) --target bench -j $(JOBS)
	@$(CTEST) --test-dir $(RELEASE) -L long --output-junit $(RESULTS)/long.xml

asan tsan: deps-dev
	cmake --preset $@ --log-level=WARNING $(OPTIONS_$@)
	cmake --build build/$@ -j $(JOBS) --target $(TARGET_$@)
	@$(FIXED_ADDRESSES) $(CTEST) --test-dir build/$@ $(TESTS_$@) \
	  --output-junit $(RESULTS)/$@.xml
# Under sanitizers these take longer than all others together: built and run at night.
SLOW_GROUPS := defrag determinism exhaustive fault_engine fault_ledger fault_postgres promises \
  property published simulate threads what_if
space := $(subst x,,x x)
SLOW_PROGRAMS := ($(subst $(space),|,$(strip $(SLOW_GROUPS))))
# And these tests of other programs.
SLOW_TESTS := $(shell sed '/^\x23/d; s/\./[.]/g' tests/ci/slow_with_sanitizers.txt)
SLOW := $(SLOW_PROGRAMS)/|$(subst $(space),|,$(strip $(SLOW_TESTS)))
# What ctest calls their programs until they are built.
NOT_BUILT := ^(unit_)?$(SLOW_PROGRAMS)_NOT_BUILT$$
asan: TARGET_asan := all
asan: OPTIONS_asan := -DMUSTER_LATER_TESTS="$(subst $(space),;,$(strip $(SLOW_GROUPS)))"
asan: TESTS_asan := -LE 'long|night' -E '^((tidy|ci|bench)/|$(SLOW))|$(NOT_BUILT)'

asan-rest: asan
	cmake --build build/asan -j $(JOBS) --target later_tests
	@$(FIXED_ADDRESSES) $(CTEST) --test-dir build/asan -LE 'long|night' -R '^($(SLOW))' \
	  --output-junit $(RESULTS)/asan-rest.xml

# gcc and clang, two grades of optimisation, with sanitizers and without: one output.
same-bytes: build asan
	@$(FIXED_ADDRESSES) tests/conformance/same_bytes.py \
	  $(RELEASE)/bin/muster build/asan/bin/muster

# The engine starts no thread; what ThreadSanitizer can find is state that engines share, and what
# the threads share that read many manifests or copy an engine.
tsan: TARGET_tsan := threads unit_manifest unit_eta
tsan: TESTS_tsan := -R '^(threads/|manifest/(Beside|.*ByThreads)|eta/Forks)'

wheel: deps-dev ## make a Python wheel with the library in build/wheel (pip gets its build tool)
	@CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) python3 -m pip wheel --no-deps -w build/wheel bindings/python

# What a job runs through once is more than a processor keeps of instructions; so a first program
# counts what runs often, in a year of jobs and under a load of submits, and a second has that side
# by side and in straight lines. It decides the same.
profiled: build ## build once more in build/profiled, laid out by what runs often (20 minutes)
	cmake --preset counting --log-level=WARNING
	cmake --build $(COUNTING) --target muster_binary muster_c -j $(JOBS)
	rm -rf build/counts
	tests/bench/year_bench.py --jobs 500000 --seed 2 --repetitions 1 --singly \
	  $(COUNTING)/bin/muster
	MUSTER=$(COUNTING)/bin/muster tests/bench/service_bench.py $(RELEASE)/bin/service_load
	MUSTER_LIBRARY=$(COUNTING)/bindings/c/libmuster.so PYTHONPATH=bindings/python/src \
	  tests/bench/questions_bench.py --live 20000 --questions 100 --what-ifs 20 --forwards 20
	cmake --preset profiled --log-level=WARNING
	cmake --build $(PROFILED) -j $(JOBS)
	tests/conformance/same_bytes.py $(RELEASE)/bin/muster $(PROFILED)/bin/muster \
	  --cases tests/conformance/sample --stride 1

packages: deps-dev profiled ## make Debian packages in build/profiled/packages
	@cd $(PROFILED) && cpack -G DEB

bench: deps ## measure: one table of figures, also in build/bench.json (10 minutes)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target bench muster_binary -j $(JOBS)
	@cd $(RELEASE) && $(CURDIR)/tests/bench/run.py --json $(CURDIR)/build/bench.json \
	  --targets $(CURDIR)/tests/bench/targets.txt \
	  --start 'muster schedule=bin/muster schedule -f $(CURDIR)/examples/gpu-preemption' \
	  bin/engine_bench bin/policy_bench bin/ledger_bench

bench-lab: deps ## measure a simulated year and questions on a live state (some minutes)
	@cmake --preset $(notdir $(BUILD)) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target muster_binary muster_c -j $(JOBS)
	@tests/bench/year_bench.py $(BUILD)/bin/muster
	@MUSTER_LIBRARY=$(BUILD)/bindings/c/libmuster.so PYTHONPATH=bindings/python/src \
	  tests/bench/questions_bench.py

# ARGS='--rate 20000 --connections 1000 --listeners 200' asks for more.
bench-service: deps ## measure a service under an open loop of submits (half a minute)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target service_load muster_binary -j $(JOBS)
	@cmake --preset $(notdir $(BUILD)) --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target muster_binary -j $(JOBS)
	@MUSTER=$(BUILD)/bin/muster tests/bench/service_bench.py $(RELEASE)/bin/service_load $(ARGS)

# ARGS='--live 500000 --kills 60' asks for more workloads.
bench-takeover: deps ## measure how long nothing is decided when a service is killed (10 minutes)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target muster_binary -j $(JOBS)
	@tests/bench/takeover_bench.py $(ARGS) $(RELEASE)/bin/muster

# ARGS='--live 500000 --trees 10 --cold' asks for more workloads, more ledgers, and no standbys.
bench-takeover-shards: deps ## measure the same where instances share ledgers (10 minutes)
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(RELEASE) --target muster_binary -j $(JOBS)
	@tests/bench/takeover_shards_bench.py $(ARGS) $(RELEASE)/bin/muster

# BASE is built beside this tree, in build/base, and left there for the next comparison.
bench-compare: deps ## compare with BASE=commit: the same benchmarks in turn (10 minutes)
	@test -n "$(BASE)" || { echo "bench-compare: which commit? make bench-compare BASE=main"; exit 2; }
	@git worktree remove --force build/base 2>/dev/null || true
	@git worktree add --quiet --detach build/base $(BASE)
	@for tree in build/base .; do \
	  cmake -S $$tree -B $$tree/$(RELEASE) -G Ninja -DCMAKE_BUILD_TYPE=Release \
	    --log-level=WARNING >/dev/null && \
	  cmake --build $$tree/$(RELEASE) --target engine_bench -j $(JOBS) || exit 1; done
	@tests/bench/compare.py --filter '$(or $(FILTER),native)' \
	  build/base/$(RELEASE)/bin/engine_bench $(RELEASE)/bin/engine_bench

lint: deps-dev
	luacheck --quiet policies bindings/lua tests/lua examples/gateway-in-lua
	git ls-files '*.sh' .ci/run | xargs shellcheck
	MYPYPATH=bindings/python/src:tests/testing mypy --strict --cache-dir build/mypy -p muster
	MYPYPATH=bindings/python/src:tests/testing mypy --strict --cache-dir build/mypy \
	  tests/python/*.py

tidy: deps-dev ## run clang-tidy over Muster's own sources
	cmake --preset tidy --log-level=WARNING
	cmake/clang_tidy.py build/tidy

build: deps ## build everything with optimisation into build/release
	cmake --preset release --log-level=WARNING
	cmake --build $(RELEASE) -j $(JOBS)

install: build ## install library, headers and command below PREFIX (/usr/local)
	cmake --install $(RELEASE) --prefix $(PREFIX)

format: deps-dev ## lay out the C++ sources as .clang-format says
	git ls-files '*.h' '*.cc' | xargs clang-format -i

deps: ## install the Debian packages that building and testing lack
	@cmake/deps.sh

deps-dev: ## install also those for make check, tidy and format
	@cmake/deps.sh --dev

clean: ## remove everything that was built
	rm -rf build
