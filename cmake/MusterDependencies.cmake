# Everything outside the project that its libraries link, as imported targets. The installed package
# reads this file too, so an embedder gets the same ones.
#
#   yaml-cpp             bindings/manifest
#   PkgConfig::YAML      bindings/manifest, for what is written as usual
#   PkgConfig::LUAJIT    bindings/luajit
#   SQLite::SQLite3      db
#   PkgConfig::PQ        db/postgres
#   PkgConfig::SODIUM    hashes of policies and of the ledger
#   spdlog::spdlog       bindings/cpp/log.cc
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(SQLite3 3.40 REQUIRED)
find_package(spdlog REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(LUAJIT REQUIRED IMPORTED_TARGET luajit)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(SODIUM REQUIRED IMPORTED_TARGET libsodium)
