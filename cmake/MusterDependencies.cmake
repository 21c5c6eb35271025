# Everything outside the project, as imported targets; the installed package includes this file too.
#
#   yaml-cpp                 bindings/manifest
#   PkgConfig::LUAJIT        bindings/luajit
#   SQLite::SQLite3          db
#   PkgConfig::SODIUM        SHA-256 of policies and commits
#   spdlog::spdlog           the log sink, behind one header
#   nlohmann_json, CLI11     the command and the tests
find_package(PkgConfig REQUIRED QUIET)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(LUAJIT REQUIRED IMPORTED_TARGET luajit)
find_package(SQLite3 3.40 REQUIRED)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
if(NOT DEFINED muster_FOUND)
  find_package(nlohmann_json REQUIRED)
  find_package(CLI11 REQUIRED)
endif()
