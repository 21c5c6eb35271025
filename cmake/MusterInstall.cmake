# What `make install` puts where, and the CMake package that find_package(Muster) reads. Components
# are the Debian packages that MusterPackages.cmake makes.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_LIBRARY_ARCHITECTURE AND EXISTS /etc/debian_version)
  # Where Debian's linker, pkg-config and CMake look, below /usr as below /usr/local.
  set(CMAKE_INSTALL_LIBDIR lib/${CMAKE_LIBRARY_ARCHITECTURE} CACHE PATH "Libraries")
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(muster_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/muster)

# `muster` is what an embedder names; the others are static libraries behind it.
foreach(library core ledger objects manifest luajit)
  set_target_properties(muster_${library} PROPERTIES EXPORT_NAME ${library})
endforeach()
install(TARGETS ${MUSTER_STATIC_LIBRARIES} muster_options EXPORT muster COMPONENT dev)
install(DIRECTORY engine/include/muster bindings/cpp/include/muster
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev FILES_MATCHING PATTERN *.h)
install(EXPORT muster NAMESPACE muster:: FILE musterTargets.cmake
        DESTINATION ${muster_package_dir} COMPONENT dev)

# The shared library of C++ (component cpp_shared), which needs nothing of the others. No promise
# about its ABI before 1.0: its SONAME is the whole version.
if(TARGET muster_cpp)
  install(TARGETS muster_cpp EXPORT musterCppShared
          LIBRARY COMPONENT library_cpp NAMELINK_COMPONENT dev)
  install(EXPORT musterCppShared NAMESPACE muster:: FILE musterCppSharedTargets.cmake
          DESTINATION ${muster_package_dir} COMPONENT dev)
endif()

# The C library: a package of its own (component c), which needs nothing of the others.
install(TARGETS muster_c EXPORT musterC
        LIBRARY COMPONENT library NAMELINK_COMPONENT dev)
install(FILES bindings/c/include/muster.h bindings/c/include/muster_types.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
install(EXPORT musterC NAMESPACE muster:: FILE musterCTargets.cmake
        DESTINATION ${muster_package_dir} COMPONENT dev)
# What the wheel holds beside the Python sources (bindings/python): the library in the package.
install(FILES $<TARGET_FILE:muster_c> DESTINATION muster RENAME libmuster.so.${MUSTER_SOVERSION}
        COMPONENT python EXCLUDE_FROM_ALL)
# The Debian package has the sources alone: its library is libmuster1's.
install(DIRECTORY bindings/python/src/muster DESTINATION lib/python3/dist-packages
        COMPONENT python3 EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
file(RELATIVE_PATH prefix_from_pc /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
# By full names: -lmuster is the C library.
list(TRANSFORM MUSTER_STATIC_LIBRARIES REPLACE "(.+)" "\${libdir}/lib\\1.a"
     OUTPUT_VARIABLE static_libraries)
list(JOIN static_libraries " " static_libraries)
foreach(name muster muster-cpp muster-cpp-static)
  configure_file(cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
endforeach()

configure_package_config_file(cmake/muster-config.cmake.in ${PROJECT_BINARY_DIR}/muster-config.cmake
                              INSTALL_DESTINATION ${muster_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/muster-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/muster-config.cmake
        ${PROJECT_BINARY_DIR}/muster-config-version.cmake cmake/MusterDependencies.cmake
        DESTINATION ${muster_package_dir} COMPONENT dev)

install(TARGETS muster_binary COMPONENT command)
install(DIRECTORY policies DESTINATION ${CMAKE_INSTALL_DATADIR}/muster COMPONENT command)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
        COMPONENT command)
install(FILES bindings/cli/shell/muster.bash RENAME muster
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
install(FILES bindings/cli/shell/_muster
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)
install(FILES bindings/cli/shell/muster.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)

# The service: a unit of systemd, its user, and a file to copy to /etc/muster/serve.conf.
# The unit names the program where it is installed, which the prefix of the installation says.
install(CODE "
  set(MUSTER_BIN \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\")
  set(MUSTER_DATA \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/muster\")
  set(unit \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/systemd/system/muster.service\")
  message(STATUS \"Installing: \${unit}\")
  configure_file(\"${PROJECT_SOURCE_DIR}/cmake/service/muster.service.in\" \"\${unit}\" @ONLY)"
  COMPONENT command)
install(FILES cmake/service/muster.sysusers.conf DESTINATION lib/sysusers.d RENAME muster.conf
        COMPONENT command)
install(FILES cmake/service/serve.conf docs/service.md DESTINATION ${CMAKE_INSTALL_DATADIR}/muster
        COMPONENT command)
