# Plays the C example's day under memcheck: no leak, no read of what is not there.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
execute_process(COMMAND ${VALGRIND} --quiet --leak-check=full --show-leak-kinds=definite,indirect
                        --errors-for-leak-kinds=definite,indirect --error-exitcode=9
                        ${PROGRAM} ${WORK}/day.ledger ${QUEUES}
                COMMAND_ERROR_IS_FATAL ANY)
