# Debian packages by CPack (`make packages`): libmuster1, libmuster-cppVERSION, libmuster-dev,
# muster, lua-muster and python3-muster. Each is a component of MusterInstall.cmake.
find_program(DPKG_DEB dpkg-deb)
mark_as_advanced(DPKG_DEB)
if(NOT PROJECT_IS_TOP_LEVEL OR NOT DPKG_DEB OR MUSTER_SANITIZE)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME muster)
set(CPACK_PACKAGE_CONTACT "Muster maintainers <maintainers@muster.dev>")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# With DESTDIR, so that files which name the prefix name that of the machine.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
# What a program or library links is found out by dpkg-shlibdeps.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(same_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# Copyright and changelog, which Debian wants beside every package.
set(doc_folder ${PROJECT_BINARY_DIR}/packages/doc)
file(CONFIGURE OUTPUT ${doc_folder}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Muster

Files: *
Copyright: 2026 The Muster authors
License: Apache-2.0
 On Debian systems the text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
")
file(CONFIGURE OUTPUT ${doc_folder}/changelog.Debian @ONLY CONTENT
"muster (@same_version@) unstable; urgency=medium

  * See CHANGELOG.md of the sources.

 -- @CPACK_PACKAGE_CONTACT@  Thu, 01 Jan 2026 00:00:00 +0000
")
execute_process(COMMAND ${GZIP} -9nkf ${doc_folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)

# muster_package(COMPONENT PACKAGE SECTION SUMMARY DESCRIPTION)
function(muster_package component package section summary description)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${description}" PARENT_SCOPE)
  install(FILES ${doc_folder}/copyright ${doc_folder}/changelog.Debian.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
endfunction()

# What an embedder reads and begins with, in the folders of the sources, so that links go on.
set(dev_doc ${CMAKE_INSTALL_DATADIR}/doc/libmuster-dev)
install(DIRECTORY docs/ DESTINATION ${dev_doc}/docs COMPONENT dev EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN decisions EXCLUDE PATTERN *.md PATTERN *.json)
foreach(example embed gateway gateway-in-c gateway-in-lua why-in-c)
  install(DIRECTORY examples/${example} DESTINATION ${dev_doc}/examples COMPONENT dev
          EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
endforeach()

# muster_door_documents(COMPONENT PACKAGE FOLDER EXAMPLE): the page of a door, and what a gateway in
# it begins with, so placed that its links go on.
function(muster_door_documents component package folder example)
  set(door_doc ${CMAKE_INSTALL_DATADIR}/doc/${package})
  file(READ ${PROJECT_SOURCE_DIR}/${folder}/README.md page)
  string(REPLACE "../../docs/" "docs/" page "${page}")
  file(CONFIGURE OUTPUT ${doc_folder}/${package}/README.md CONTENT "${page}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${PROJECT_SOURCE_DIR}/${folder}/README.md)
  install(FILES ${doc_folder}/${package}/README.md DESTINATION ${door_doc} COMPONENT ${component}
          EXCLUDE_FROM_ALL)
  foreach(page embedding.md hand-over.md wire.md wire.schema.json scenarios.md writing-a-policy.md)
    install(FILES docs/${page} DESTINATION ${door_doc}/docs COMPONENT ${component}
            EXCLUDE_FROM_ALL)
  endforeach()
  install(DIRECTORY examples/${example} DESTINATION ${door_doc}/examples COMPONENT ${component}
          EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE)
endfunction()

set(CPACK_COMPONENTS_ALL library library_cpp dev command lua python3)
set(is "Muster decides which jobs of a shared cluster may start now, on which
flavor of hardware, and which have to make room, with Kueue's objects and
policies in Lua.")
muster_package(library libmuster1 libs "admission engine for shared clusters: C library"
  "${is}\n.\nThis is the library for C and for all languages that call C.")
# Named after its SONAME, as Debian wants it: several versions may be installed beside each other.
set(cpp_package libmuster-cpp${PROJECT_VERSION})
muster_package(library_cpp ${cpp_package} libs "admission engine for shared clusters: C++ library"
  "${is}\n.\nThis is the library for C++. Programs are built for this version of it alone.")
muster_package(dev libmuster-dev libdevel "admission engine for shared clusters: headers"
  "${is}\n.\nHeaders and libraries for C and C++, for CMake and pkg-config.")
muster_package(command muster admin "admission engine for shared clusters: command"
  "${is}\n.\nThis is the command muster, with the policies that come with it.")
muster_package(lua lua-muster interpreters "admission engine for shared clusters: Lua module"
  "${is}\n.\nThe module for LuaJIT and for Lua 5.1, 5.3 and 5.4.")
muster_package(python3 python3-muster python "admission engine for shared clusters: Python 3"
  "${is}\n.\nThe package for Python 3.")

muster_door_documents(lua lua-muster bindings/lua gateway-in-lua)
muster_door_documents(python3 python3-muster bindings/python gateway)

file(WRITE ${doc_folder}/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${doc_folder}/triggers)
set(CPACK_DEBIAN_LIBRARY_CPP_PACKAGE_CONTROL_EXTRA ${doc_folder}/triggers)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libmuster1 (= ${same_version}), \
${cpp_package} (= ${same_version}), libluajit-5.1-dev, libyaml-cpp-dev, libyaml-dev, \
libsqlite3-dev, libpq-dev, libsodium-dev, libspdlog-dev, pkgconf")
# Lua and Python open the library; nothing in their packages links it.
set(CPACK_DEBIAN_LUA_PACKAGE_DEPENDS "libmuster1 (= ${same_version}), lua-dkjson")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_DEPENDS "libmuster1 (= ${same_version}), python3 (>= 3.9)")
set(CPACK_DEBIAN_PYTHON3_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3_PACKAGE_SHLIBDEPS OFF)
include(CPack)
