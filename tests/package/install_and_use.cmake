# Installs BUILD into an empty prefix below WORK, builds CONSUMER against it there and runs it.
file(REMOVE_RECURSE ${WORK})
foreach(step
    "--install;${BUILD};--prefix;${WORK}/prefix"
    "-S;${CONSUMER};-B;${WORK}/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "--build;${WORK}/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
foreach(program consumer host over_c)
  execute_process(COMMAND ${WORK}/build/${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
# Static: the program needs no library of Muster; shared: it needs the one with its version.
foreach(program consumer over_c)
  execute_process(COMMAND readelf --dynamic ${WORK}/build/${program} OUTPUT_VARIABLE needs
                  COMMAND_ERROR_IS_FATAL ANY)
  string(FIND "${needs}" "[libmuster.so.1]" found)
  if((program STREQUAL over_c) EQUAL (found EQUAL -1))
    message(FATAL_ERROR "${program} links otherwise than it should:\n${needs}")
  endif()
endforeach()
execute_process(COMMAND ${WORK}/prefix/bin/muster version COMMAND_ERROR_IS_FATAL ANY)

# The unit of systemd starts the program that was installed.
file(STRINGS ${WORK}/prefix/lib/systemd/system/muster.service start
     REGEX "^ExecStart=${WORK}/prefix/bin/muster serve ")
if(NOT start)
  message(FATAL_ERROR "muster.service does not start ${WORK}/prefix/bin/muster")
endif()

# The C examples know the installed package alone, by CMake and by pkg-config.
file(COPY ${C_EXAMPLE}/ DESTINATION ${WORK}/c)
foreach(step "-S;${WORK}/c;-B;${WORK}/c/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
        "--build;${WORK}/c/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${WORK}/c/build/example_gateway_in_c ${WORK}/c/day.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE pc ${WORK}/prefix/*/muster.pc)
cmake_path(GET pc PARENT_PATH pc_folder)
set(ENV{PKG_CONFIG_PATH} ${pc_folder})
execute_process(COMMAND sh -c "cc gateway.c $(pkg-config --cflags --libs muster) -o by_pkg_config"
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
cmake_path(GET pc_folder PARENT_PATH libraries)
set(ENV{LD_LIBRARY_PATH} ${libraries})
execute_process(COMMAND ${WORK}/c/by_pkg_config ${WORK}/c/other.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
file(COPY ${OTHER_C_EXAMPLE}/why.c DESTINATION ${WORK}/c)
execute_process(COMMAND sh -c "cc why.c $(pkg-config --cflags --libs muster) -o why"
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/c/why ${WORK}/c/why.ledger queues.yaml
                WORKING_DIRECTORY ${WORK}/c COMMAND_ERROR_IS_FATAL ANY)
