cmake_minimum_required(VERSION 3.22)

# Builds and runs the project in consumer/ against redlock. WAY says how it gets at it:
#   installed         find_package on what the build in BUILT installs
#   installed_shared  the same with a shared library, built here
#   subdirectory      FetchContent, which is add_subdirectory, of the sources in REDLOCK
#   debian            the packages of Debian that the build in BUILT makes, below a root of their own

include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/exports.cmake")

file(REMOVE_RECURSE "${WORK}")

# Runs a program that finds the shared library, if it needs that, below <prefix>, where no loader looks.
#   run_beside_library(<prefix> <command>...)
function(run_beside_library prefix)
    file(GLOB_RECURSE libraries "${prefix}/lib/*/libredlock.so.*" "${prefix}/lib/libredlock.so.*")
    if(libraries)
        list(GET libraries 0 library)
        cmake_path(GET library PARENT_PATH folder)
        set(ENV{LD_LIBRARY_PATH} "${folder}")
    endif()
    run(${ARGN})
endfunction()

# Builds and runs the consumer with what pkg-config says of the redlock below <prefix>.
#   run_with_pkg_config(<prefix> [--static])
function(run_with_pkg_config prefix)
    file(GLOB_RECURSE description "${prefix}/*/redlock.pc")
    cmake_path(GET description PARENT_PATH folder)
    set(ENV{PKG_CONFIG_PATH} "${folder}")
    execute_process(
        COMMAND "${PKG_CONFIG}" --cflags --libs ${ARGN} redlock OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY
    )
    separate_arguments(flags UNIX_COMMAND "${flags}")
    if(flags MATCHES "-L([^;]*)")
        set(ENV{LD_LIBRARY_PATH} "${CMAKE_MATCH_1}")
    endif()
    run("${COMPILER}" -std=c++20 "${REDLOCK}/packaging/conan/test_package/test_package.cpp" ${flags}
        -o "${WORK}/consumer_of_pc"
    )
    run("${WORK}/consumer_of_pc")
endfunction()

if(WAY STREQUAL "debian")
    include("${CMAKE_CURRENT_LIST_DIR}/debian.cmake")
    return()
endif()

# Optimised once, for an optimiser has warnings of its own.
if(WAY STREQUAL "subdirectory")
    list(APPEND common -DCMAKE_CXX_FLAGS_RELEASE=-O0)
endif()

if(WAY STREQUAL "installed_shared")
    # As for packages of Debian, which another test makes of this build.
    set(ENV{DEBFULLNAME} "Test of the packages")
    set(ENV{DEBEMAIL} "test@redlock.invalid")
    run("${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/redlock" ${common} -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=/usr
        -DREDLOCK_BUILD_TESTS=OFF -DREDLOCK_BUILD_EXAMPLES=OFF -DREDLOCK_BUILD_BENCH=OFF
    )
    run("${CMAKE_COMMAND}" --build "${WORK}/redlock")
    set(BUILT "${WORK}/redlock")
    check_exports("${BUILT}/src/libredlock.so")
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

# Whoever links with the static library needs OpenSSL, and is told to look for it.
file(STRINGS "${WORK}/consumer/CMakeCache.txt" openssl REGEX "^OPENSSL_SSL_LIBRARY:")
if(NOT openssl)
    message(FATAL_ERROR "The consumer knows nothing of OpenSSL")
endif()

file(STRINGS "${WORK}/consumer/CMakeCache.txt" libpq REGEX "^PostgreSQL_LIBRARY_RELEASE:")
if(NOT libpq)
    message(FATAL_ERROR "The consumer knows nothing of libpq")
endif()

file(STRINGS "${WORK}/consumer/CMakeCache.txt" libmariadb REGEX "^MariaDB_LIBRARY:")
if(NOT libmariadb)
    message(FATAL_ERROR "The consumer knows nothing of libmariadb")
endif()

file(STRINGS "${WORK}/consumer/CMakeCache.txt" nghttp2 REGEX "^Nghttp2_LIBRARY:")
if(NOT nghttp2)
    message(FATAL_ERROR "The consumer knows nothing of nghttp2")
endif()

# The command comes along where it was built.
if(EXISTS "${WORK}/prefix/bin/redlock")
    run_beside_library("${WORK}/prefix" "${WORK}/prefix/bin/redlock" --version)
    foreach(text IN ITEMS man/man1/redlock-run.1 bash-completion/completions/redlock zsh/site-functions/_redlock)
        if(NOT EXISTS "${WORK}/prefix/share/${text}")
            message(FATAL_ERROR "${text} is not installed")
        endif()
    endforeach()
endif()

# The project in the guide can be configured; its program is compiled elsewhere.
if(WAY STREQUAL "installed")
    file(READ "${REDLOCK}/docs/guide/first-lock.md" guide)
    if(NOT guide MATCHES "```cmake\n([^`]*)```")
        message(FATAL_ERROR "The guide has no project")
    endif()
    file(WRITE "${WORK}/guide/CMakeLists.txt" "${CMAKE_MATCH_1}")
    file(TOUCH "${WORK}/guide/first.cpp")
    run("${CMAKE_COMMAND}" -S "${WORK}/guide" -B "${WORK}/guide/build" ${common} ${place})
endif()

# The programs of the guide that are not in C++. Without a node that is one there is no client, and they say so.
if(WAY STREQUAL "installed_shared" AND PYTHON)
    file(READ "${REDLOCK}/docs/guide/c.md" guide)
    if(NOT guide MATCHES "```c\n([^`]*)```.*```python\n([^`]*)```")
        message(FATAL_ERROR "The guide has no programs")
    endif()
    file(WRITE "${WORK}/report.c" "${CMAKE_MATCH_1}")
    file(WRITE "${WORK}/report.py" "${CMAKE_MATCH_2}")
    file(GLOB_RECURSE library "${WORK}/prefix/lib/*libredlock.so")
    cmake_path(GET library PARENT_PATH folder)
    run("${COMPILER}" -x c -std=c11 -pedantic -Wall -Wextra -Werror "-I${WORK}/prefix/include" "${WORK}/report.c"
        "-L${folder}" -lredlock -o "${WORK}/report"
    )
    foreach(program IN ITEMS "${WORK}/report" "${PYTHON};${WORK}/report.py")
        foreach(node IN ITEMS memory://guide nowhere://)
            execute_process(
                COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${folder}" ${program} "${node}" OUTPUT_VARIABLE printed
                ERROR_VARIABLE failure RESULT_VARIABLE result
            )
            if(node MATCHES "memory" AND NOT (result EQUAL 0 AND printed MATCHES "it is ours"))
                message(FATAL_ERROR "${program}: ${result}: ${printed}${failure}")
            elseif(node MATCHES "nowhere" AND NOT (result EQUAL 1 AND failure MATCHES "nodes.0."))
                message(FATAL_ERROR "${program} with ${node}: ${result}: ${printed}${failure}")
            endif()
        endforeach()
    endforeach()
    run("${PYTHON}" "${REDLOCK}/test/c/binding.py" "${library}")
endif()

# The shared library likewise, in debian.cmake.
if(PKG_CONFIG AND WAY STREQUAL "installed")
    run_with_pkg_config("${WORK}/prefix" --static)
endif()
