# Installs BUILD into an empty prefix below WORK, builds CONSUMER against it there and runs it.
file(REMOVE_RECURSE ${WORK})
foreach(step
    "--install;${BUILD};--prefix;${WORK}/prefix"
    "-S;${CONSUMER};-B;${WORK}/build;-G;Ninja;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "--build;${WORK}/build")
  execute_process(COMMAND ${CMAKE_COMMAND} ${step} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${WORK}/build/consumer COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK}/prefix/bin/muster version COMMAND_ERROR_IS_FATAL ANY)
