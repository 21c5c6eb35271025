# Installs BUILD into an empty prefix below WORK, builds CONSUMER against it there and runs it.
file(REMOVE_RECURSE ${WORK})
foreach(step
    "--install;${BUILD};--prefix;${WORK}/prefix"
    "-S;${CONSUMER};-B;${WORK}/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "--build;${WORK}/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(program consumer consumer_shared host over_c)
  execute_process(COMMAND ${WORK}/build/${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(program durable durable_shared)
  execute_process(COMMAND ${WORK}/build/${program} ${WORK}/${program}.ledger
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Whether LIBRARY is one that FILE needs itself is IS; LIBRARY is a regular expression.
function(check_need file library is)
  execute_process(COMMAND readelf --dynamic ${file} OUTPUT_VARIABLE needs
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCH "\\(NEEDED\\)[^\n]*\\[${library}\\]" found "${needs}")
  if((found AND NOT is) OR (is AND NOT found))
    message(FATAL_ERROR "${file} links otherwise than it should:\n${needs}")
  endif()
endfunction()
# Static: the program needs no library of Muster; shared: it needs the one with its version, and
# none of what that is made of.
set(shared "libmuster-cpp[.]so[.][0-9]+[.][0-9]+[.][0-9]+")
foreach(program consumer durable)
  check_need(${WORK}/build/${program} "libmuster.*" FALSE)
  check_need(${WORK}/build/${program}_shared ${shared} TRUE)
  check_need(${WORK}/build/${program}_shared "lib(yaml|sqlite|luajit|pq|sodium).*" FALSE)
endforeach()
check_need(${WORK}/build/over_c "libmuster[.]so[.]1" TRUE)
# A plugin with the engine in it shows its own function, and none of the engine; weak symbols are
# templates of the standard library that its own source uses.
execute_process(COMMAND nm --dynamic --defined-only ${WORK}/build/libplugin.so
                OUTPUT_VARIABLE shown COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [A-UX-Z] [^\n]+" shown "${shown}")
if(NOT shown STREQUAL " T PluginDecides")
  message(FATAL_ERROR "the plugin shows more than its own:\n${shown}")
endif()
execute_process(COMMAND ${WORK}/prefix/bin/muster version COMMAND_ERROR_IS_FATAL ANY)

# The unit of systemd starts the program that was installed.
file(STRINGS ${WORK}/prefix/lib/systemd/system/muster.service start
     REGEX "^ExecStart=${WORK}/prefix/bin/muster serve ")
if(NOT start)
  message(FATAL_ERROR "muster.service does not start ${WORK}/prefix/bin/muster")
endif()

# The same by pkg-config, of C++ with the objects that CMake has compiled: from the prefix alone.
file(GLOB_RECURSE pc ${WORK}/prefix/*/muster.pc)
cmake_path(GET pc PARENT_PATH pc_folder)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
cmake_path(GET pc_folder PARENT_PATH libraries)
foreach(name muster-cpp muster-cpp-static)
  execute_process(COMMAND sh -c "c++ $(pkg-config --cflags ${name}) -std=c++20 -o by_${name} \
CMakeFiles/durable.dir/durable.cc.o $(pkg-config --libs ${name})"
                  WORKING_DIRECTORY ${WORK}/build COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${libraries}
                          ${WORK}/build/by_${name} ${WORK}/${name}.ledger
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
check_need(${WORK}/build/by_muster-cpp ${shared} TRUE)
check_need(${WORK}/build/by_muster-cpp-static "libmuster.*" FALSE)

# The C examples know the installed package alone, by CMake and by pkg-config.
file(COPY ${C_EXAMPLE}/ DESTINATION ${WORK}/c)
foreach(step "-S;${WORK}/c;-B;${WORK}/c/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
        "--build;${WORK}/c/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${WORK}/c/build/example_gateway_in_c ${WORK}/c/day.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND sh -c "cc gateway.c $(pkg-config --cflags --libs muster) -o by_pkg_config"
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
set(ENV{LD_LIBRARY_PATH} ${libraries})
execute_process(COMMAND ${WORK}/c/by_pkg_config ${WORK}/c/other.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${OTHER_C_EXAMPLE}/why.c DESTINATION ${WORK}/c)
execute_process(COMMAND sh -c "cc why.c $(pkg-config --cflags --libs muster) -o why"
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/c/why ${WORK}/c/why.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
