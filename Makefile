# Muster's front door: every target is one word, `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help demo test check deps deps-dev build format tidy clean install

PREFIX ?= /usr/local
JOBS ?= $(shell nproc)
# Sanitizers of clang 14 do not survive the randomisation of newer kernels.
FIXED_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)
BUILD := build/release
CTEST := ctest --output-on-failure --no-tests=error -j $(JOBS)
# Where ctest leaves its results, one file a stage, for whoever adds them up.
RESULTS := $(CURDIR)/build/results

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: deps ## build Muster and watch it decide, in two minutes
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build $(BUILD) --target muster_binary -j $(JOBS)
	@MUSTER=$(CURDIR)/$(BUILD)/bin/muster examples/gpu-preemption/demo.sh

test: build ## run every test but the long ones (5 minutes, build included)
	$(CTEST) --test-dir $(BUILD) -LE long --output-junit $(RESULTS)/test.xml

check: deps-dev build tidy ## sanitizers, static analysis and long tests (half an hour)
	luacheck --quiet policies
	$(CTEST) --test-dir $(BUILD) -L long --output-junit $(RESULTS)/long.xml
	$(MAKE) check-asan check-tsan

check-%:
	cmake --preset $* --log-level=WARNING
	cmake --build build/$* -j $(JOBS)
	$(FIXED_ADDRESSES) $(CTEST) --test-dir build/$* -LE long --output-junit $(RESULTS)/$*.xml

build: deps ## build everything with optimisation into build/release
	cmake --preset release --log-level=WARNING
	cmake --build $(BUILD) -j $(JOBS)

tidy: ## run clang-tidy over Muster's own sources
	cmake --preset asan --log-level=WARNING
	cmake/clang_tidy.sh build/asan

format: ## lay out the sources as .clang-format says
	git ls-files '*.h' '*.cc' | xargs clang-format -i

deps: ## install the Debian packages that building and testing lack
	@cmake/deps.sh

deps-dev: ## install also those for make check, tidy and format
	@cmake/deps.sh --dev

install: build ## install library, headers and command below PREFIX (/usr/local)
	cmake --install $(BUILD) --prefix $(PREFIX)

clean: ## remove everything that was built
	rm -rf build
