# Writes OUT, the definition of Commit(), from `git describe` of SOURCE; leaves an equal file alone.
execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --tags
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
set(text "// Written by git_describe.cmake.\n#include \"bindings/cli/build_info.h\"\n\n"
         "namespace muster::cli {\n\nstd::string_view Commit() { return \"${commit}\"\; }\n\n"
         "}  // namespace muster::cli\n")
string(CONCAT text ${text})
set(old "")
if(EXISTS "${OUT}")
  file(READ "${OUT}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${OUT}" "${text}")
endif()
