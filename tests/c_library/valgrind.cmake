# Runs COMMAND under memcheck in an empty folder WORK: no leak, no read of what is not there.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${VALGRIND} --quiet --leak-check=full --show-leak-kinds=definite,indirect
                        --errors-for-leak-kinds=definite,indirect --error-exitcode=9 ${COMMAND}
                WORKING_DIRECTORY ${WORK} COMMAND_ERROR_IS_FATAL ANY)
