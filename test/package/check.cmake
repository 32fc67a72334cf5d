cmake_minimum_required(VERSION 3.22)

# Builds and runs the project in consumer/ against redlock. WAY says how it gets at it:
#   installed         find_package on what the build in BUILT installs
#   installed_shared  the same with a shared library, built here
#   subdirectory      FetchContent, which is add_subdirectory, of the sources in REDLOCK

file(REMOVE_RECURSE "${WORK}")
# The same flags wherever the library is built, so that ccache finds the second time what was compiled the first time.
set(common -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=None
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON
)
set(ENV{CMAKE_CXX_COMPILER_LAUNCHER} "${LAUNCHER}")

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(WAY STREQUAL "installed_shared")
    run("${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/redlock" ${common} -DBUILD_SHARED_LIBS=ON
        -DREDLOCK_BUILD_TESTS=OFF -DREDLOCK_BUILD_EXAMPLES=OFF -DREDLOCK_BUILD_BENCH=OFF -DREDLOCK_BUILD_TOOL=OFF
    )
    run("${CMAKE_COMMAND}" --build "${WORK}/redlock")
    set(BUILT "${WORK}/redlock")
endif()

if(WAY STREQUAL "subdirectory")
    set(place "-DREDLOCK_SOURCE_DIR=${REDLOCK}")
else()
    run("${CMAKE_COMMAND}" --install "${BUILT}" --prefix "${WORK}/prefix")
    set(place "-DCMAKE_PREFIX_PATH=${WORK}/prefix")
endif()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${WORK}/consumer" ${common} ${place})
run("${CMAKE_COMMAND}" --build "${WORK}/consumer")
run("${WORK}/consumer/consumer")

# The command comes along where it was built.
if(EXISTS "${WORK}/prefix/bin/redlock")
    run("${WORK}/prefix/bin/redlock" --version)
    foreach(text IN ITEMS man/man1/redlock-run.1 bash-completion/completions/redlock zsh/site-functions/_redlock)
        if(NOT EXISTS "${WORK}/prefix/share/${text}")
            message(FATAL_ERROR "${text} is not installed")
        endif()
    endforeach()
endif()
