cmake_minimum_required(VERSION 3.22)

# Configures the project where something is missing that a part of it needs: that part alone is left out, and a line says so.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")

file(REMOVE_RECURSE "${WORK}")

set(no_beast -DREDLOCK_BOOST_BEAST=OFF)
set(no_boost_test -DCMAKE_DISABLE_FIND_PACKAGE_boost_unit_test_framework=ON)
set(no_cli11 -DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON)
set(no_doxygen -DREDLOCK_DOXYGEN=OFF)
set(no_json -DREDLOCK_BOOST_JSON=OFF)
set(no_libpq -DCMAKE_DISABLE_FIND_PACKAGE_PostgreSQL=ON)
set(no_libmariadb -DCMAKE_DISABLE_FIND_PACKAGE_MariaDB=ON)
set(no_lua -DCMAKE_DISABLE_FIND_PACKAGE_Lua=ON)
set(no_nghttp2 -DCMAKE_DISABLE_FIND_PACKAGE_Nghttp2=ON)
set(no_node -DREDLOCK_NODE=OFF)
set(no_openssl -DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON)
set(no_protozero -DREDLOCK_PROTOZERO=OFF)
set(no_python -DCMAKE_DISABLE_FIND_PACKAGE_Python3=ON)

set(tests redlock_client_test redlock_tls_test redlock_postgresql_test redlock_mariadb_test redlock_etcd_test redlock_zookeeper_test redlock_sim redlock_docs_test redlock_tool_test redlock_header_test redlock_program_test)
set(all ${tests} redlock redlock_tool lock_bench hello_lock structured_log http_orders fenced_table redlock_demo)

# Configures with these options, and expects these lines, no target of those, and all the rest.
#   without(<option>... SAYS <line>... NONE <target>...)
function(without)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "SAYS;NONE")
    set(build "${WORK}/build")
    file(REMOVE "${build}/CMakeCache.txt")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${build}" ${common} ${arg_UNPARSED_ARGUMENTS}
        OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY
    )
    execute_process(
        COMMAND "${CMAKE_COMMAND}" --build "${build}" --target help OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY
    )
    foreach(line IN LISTS arg_SAYS)
        if(NOT said MATCHES "-- ${line}\n")
            message(FATAL_ERROR "Nothing said \"${line}\" with ${arg_UNPARSED_ARGUMENTS}, but:\n${said}")
        endif()
    endforeach()
    foreach(target IN LISTS all)
        string(FIND "${targets}" "${target}:" place) # as Ninja lists it
        if(place EQUAL -1)
            string(REGEX MATCH "\\.\\.\\. ${target}\n" place "${targets}") # as make does
        endif()
        if(target IN_LIST arg_NONE AND NOT place MATCHES "^(-1|)$")
            message(FATAL_ERROR "With ${arg_UNPARSED_ARGUMENTS} there is a target ${target}")
        elseif(NOT target IN_LIST arg_NONE AND place MATCHES "^(-1|)$")
            message(FATAL_ERROR "With ${arg_UNPARSED_ARGUMENTS} there is no target ${target}")
        endif()
    endforeach()
endfunction()

without(-DREDLOCK_COMPLETE=ON)
without(-DBUILD_TESTING=OFF NONE ${tests})
without(${no_boost_test} SAYS "No Boost.Test: without the tests" NONE ${tests})
without(
    ${no_json}
    SAYS "No Boost.JSON: without the command" "No Boost.JSON: without the benchmarks"
         "No Boost.JSON: without the example structured_log"
    NONE redlock_tool redlock_tool_test lock_bench structured_log redlock_program_test
)
without(
    ${no_beast} ${no_libpq} ${no_lua} ${no_node}
    SAYS "No Boost.Beast: without the example http_orders" "No libpq: without the example fenced_table"
         "No libpq 14: without locks in PostgreSQL" "No Lua 5.1: without the simulation" "No node: the comparison with other locks is not tested"
    NONE http_orders redlock_program_test fenced_table redlock_sim redlock_postgresql_test
)
without(${no_libmariadb} SAYS "No libmariadb 3.1: without locks in MariaDB" NONE redlock_mariadb_test)
without(${no_nghttp2} SAYS "No nghttp2: without locks in etcd" NONE redlock_etcd_test)
without(${no_protozero} SAYS "No protozero: without locks in etcd" NONE redlock_etcd_test)
without(${no_openssl} SAYS "No OpenSSL 3: without TLS" NONE redlock_tls_test)
without(
    ${no_cli11} ${no_doxygen} ${no_python}
    SAYS "No CLI11: without the command" "No doxygen: without the reference"
         "No Python3: without the tests of the documentation"
    NONE redlock_tool redlock_tool_test redlock_docs_test
)

file(REMOVE "${WORK}/build/CMakeCache.txt")
execute_process(
    COMMAND "${CMAKE_COMMAND}" -S "${REDLOCK}" -B "${WORK}/build" ${common} -DREDLOCK_COMPLETE=ON ${no_lua}
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE complaint
)
if(result EQUAL 0 OR NOT complaint MATCHES "No Lua 5.1, which the simulation needs")
    message(FATAL_ERROR "REDLOCK_COMPLETE does not hold: ${complaint}")
endif()

# All that is left could be built; that it compiles is seen elsewhere.
without(
    ${no_beast} ${no_boost_test} ${no_cli11} ${no_doxygen} ${no_json} ${no_libmariadb} ${no_libpq} ${no_lua} ${no_nghttp2} ${no_node}
    ${no_openssl} ${no_protozero} ${no_python}
    NONE ${tests} redlock_tool lock_bench structured_log http_orders fenced_table
)
run("${CMAKE_COMMAND}" --build "${WORK}/build" -- -n)
