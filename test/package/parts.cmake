cmake_minimum_required(VERSION 3.22)

# Configures the project where something is missing that a part of it needs: that part alone is left out, and a line says so.
# With all of it missing, the library and an example are built.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

file(REMOVE_RECURSE "${WORK}")

set(no_beast -DREDLOCK_BOOST_BEAST=OFF)
set(no_boost_test -DCMAKE_DISABLE_FIND_PACKAGE_boost_unit_test_framework=ON)
set(no_cli11 -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
set(no_doxygen -DREDLOCK_DOXYGEN=OFF)
set(no_json -DREDLOCK_BOOST_JSON=OFF)
set(no_libpq -DCMAKE_DISABLE_FIND_PACKAGE_PostgreSQL=ON)
set(no_lua -DCMAKE_DISABLE_FIND_PACKAGE_Lua=ON)
set(no_node -DREDLOCK_NODE=OFF)
set(no_python -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON)

# configure(<option>...): what it printed is in `said`, the names of its targets in `targets`.
function(configure)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/build" ${common} -DREDLOCK_PCH=OFF ${ARGN}
        OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY
    )
    execute_process(
        COMMAND "${CMAKE_COMMAND}" --build "${WORK}/build" --target help OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY
    )
    set(said "${said}" PARENT_SCOPE)
    set(targets "${targets}" PARENT_SCOPE)
    file(REMOVE "${WORK}/build/CMakeCache.txt")
endfunction()

# The targets there are, and those there are not.
function(expect)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SAID" "TARGETS;NONE")
    if(arg_SAID AND NOT said MATCHES "\n-- ${arg_SAID}\n")
        message(FATAL_ERROR "Nothing said ${arg_SAID} but:\n${said}")
    endif()
    foreach(target IN LISTS arg_TARGETS)
        if(NOT targets MATCHES "${target}[:\n]")
            message(FATAL_ERROR "There is no target ${target} although all that it needs is there. ${arg_SAID}")
        endif()
    endforeach()
    foreach(target IN LISTS arg_NONE)
        if(targets MATCHES "${target}[:\n]")
            message(FATAL_ERROR "There is a target ${target} without what it needs. ${arg_SAID}")
        endif()
    endforeach()
endfunction()

set(tests redlock_client_test redlock_sim redlock_docs_test redlock_tool_test redlock_header_test redlock_program_test)
set(all ${tests} redlock redlock_tool lock_bench hello_lock structured_log http_orders fenced_table redlock_demo)

# without(<option> <line> NONE <target>...): all the rest is there.
function(without option line)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "NONE")
    configure(${option})
    set(rest ${all})
    list(REMOVE_ITEM rest ${arg_NONE})
    expect(SAID "${line}" TARGETS ${rest} NONE ${arg_NONE})
endfunction()

without(-DREDLOCK_COMPLETE=ON "Configuring done" NONE nothing)
without(-DBUILD_TESTING=OFF "Configuring done" NONE ${tests})
without(${no_boost_test} "No Boost.Test: without the tests" NONE ${tests})
without(${no_cli11} "No CLI11: without the command" NONE redlock_tool redlock_tool_test)
without(${no_json} "No Boost.JSON: without the command"
        NONE redlock_tool redlock_tool_test lock_bench structured_log redlock_program_test)
without(${no_beast} "No Boost.Beast: without the example http_orders" NONE http_orders redlock_program_test)
without(${no_libpq} "No libpq: without the example fenced_table" NONE fenced_table)
without(${no_lua} "No Lua 5.1: without the simulation" NONE redlock_sim)
without(${no_python} "No Python3: without the tests of the documentation" NONE redlock_docs_test)
without(${no_doxygen} "No doxygen: without the reference" NONE nothing)
without(${no_node} "No node: the comparison with other locks is not tested" NONE nothing)

execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/build" ${common} -DREDLOCK_COMPLETE=ON ${no_lua}
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE complaint
)
if(result EQUAL 0 OR NOT complaint MATCHES "No Lua 5.1, which the simulation needs")
    message(FATAL_ERROR "REDLOCK_COMPLETE does not hold: ${complaint}")
endif()
file(REMOVE_RECURSE "${WORK}/build")

set(nothing ${no_beast} ${no_boost_test} ${no_cli11} ${no_doxygen} ${no_json} ${no_libpq} ${no_lua} ${no_node} ${no_python})
run("${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/build" ${common} -DREDLOCK_PCH=OFF ${nothing})
run("${CMAKE_COMMAND}" --build "${WORK}/build" --target redlock hello_lock)
