# The same flags wherever the library is built, so that ccache finds the second time what was compiled the first time. As
# users build it: an optimiser has warnings of its own.
set(common -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DREDLOCK_WERROR=ON
)
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
