# Build settings every target shares: language level, warnings, sanitizers, where outputs go.
#
# A target takes them with target_link_libraries(NAME PRIVATE muster_options).
option(MUSTER_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(MUSTER_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(MUSTER_SANITIZE "" CACHE STRING "Sanitizers, e.g. 'address,undefined' or 'thread'")

set(MUSTER_PROFILE "" CACHE STRING
    "count: a program that counts what it runs; use: one laid out by such counts")
set(MUSTER_COUNTS ${PROJECT_SOURCE_DIR}/build/counts CACHE PATH "Where those counts are")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
# The same objects go into the static libraries, into libmuster.so and into libmuster-cpp.so. What
# those show is said by their version scripts, and for a shared library of an embedder's own by an
# option that the static ones bring (bindings/cpp); so the compiler hides no function. It takes none
# for one that another library might replace, and the linker makes calls among them direct: that
# costs nothing.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without these two ccache gives up on every file that uses a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros ${CMAKE_CURRENT_LIST_DIR}/ccache.sh ${CCACHE})
  set(muster_ccache_flags $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

add_library(muster_options INTERFACE)
target_compile_options(muster_options INTERFACE $<BUILD_INTERFACE:
  -Wall;-Wextra;-Wconversion;-Wshadow
  # gcc 12 sees overflows in std::string of a literal where there are none: its bug 105651.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow;-Wno-stringop-overread>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds>
  $<$<BOOL:${MUSTER_WERROR}>:-Werror>
  # A decision is the same bit for bit on every machine, also where the processor could fuse
  # multiply and add.
  -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>
  ${muster_ccache_flags}>)
if(MUSTER_SANITIZE)
  target_compile_options(muster_options INTERFACE $<BUILD_INTERFACE:
    -fsanitize=${MUSTER_SANITIZE};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  target_link_options(muster_options INTERFACE $<BUILD_INTERFACE:-fsanitize=${MUSTER_SANITIZE}>)
  # For what waits for people, sockets and the libraries below: with sanitizers clang takes four
  # times as long when it also optimises.
  set(muster_plain_with_sanitizers -O0)
endif()
# What the runs that counted never reached is compiled as without counts. Their places are by object
# file, whichever folder of a build that is in. Sources that a build makes lie elsewhere than those
# that were counted, so what counts there are of them is left out.
if(MUSTER_PROFILE)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    message(FATAL_ERROR "MUSTER_PROFILE is of gcc; leave it empty, or set CMAKE_CXX_COMPILER=g++")
  endif()
  if(MUSTER_PROFILE STREQUAL count)
    set(muster_profile_options -fprofile-generate -fprofile-update=prefer-atomic
        -fprofile-dir=${MUSTER_COUNTS})
    target_link_options(muster_options INTERFACE $<BUILD_INTERFACE:-fprofile-generate>)
  elseif(MUSTER_PROFILE STREQUAL use)
    set(muster_profile_options -fprofile-use=${MUSTER_COUNTS} -fprofile-partial-training
        -Wno-missing-profile -Wno-coverage-mismatch)
  else()
    message(FATAL_ERROR "MUSTER_PROFILE is ${MUSTER_PROFILE}; it may be count, use, or empty")
  endif()
  target_compile_options(muster_options INTERFACE $<BUILD_INTERFACE:
    ${muster_profile_options};-fprofile-prefix-path=${PROJECT_BINARY_DIR}>)
endif()
# Sources include by path from the top: "engine/quota/quota_tree.h".
target_include_directories(muster_options INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
