# Programs, run as a user runs them.

# Ten clients, servers of an engine, and faults of every kind; the program runs for as long as it is told to.
redlock_program(
    redlock_chaos_client
    chaos/client.cpp
    chaos/client_leads.cpp
    chaos/client_process.cpp
    chaos/client_takes.cpp
    chaos/client_writes.cpp
    chaos/history.cpp
)
target_include_directories(redlock_chaos_client PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
redlock_program(
    redlock_chaos
    chaos/chaos.cpp
    chaos/checker.cpp
    chaos/crowd.cpp
    chaos/deployment/deployments.cpp
    chaos/deployment/group_faults.cpp
    chaos/deployment/networks.cpp
    chaos/deployment/redis_nodes.cpp
    chaos/deployment/sentinel_groups.cpp
    chaos/history.cpp
    chaos/nemesis.cpp
)
# Each engine with the seconds of its test.
set(chaos_engines redis:60 redis-groups:30)
if(REDLOCK_SANITIZE)
    set(chaos_engines redis:20 redis-groups:30)
endif()
if(REDLOCK_POSTGRESQL AND REDLOCK_POSTGRES)
    target_sources(redlock_chaos PRIVATE chaos/deployment/postgres_servers.cpp)
    target_compile_definitions(redlock_chaos PRIVATE REDLOCK_CHAOS_POSTGRESQL)
    list(APPEND chaos_engines postgresql:20 postgresql-failover:20)
endif()
if(REDLOCK_MARIADB AND REDLOCK_MARIADB_SERVER)
    target_sources(redlock_chaos PRIVATE chaos/deployment/mariadb_servers.cpp)
    target_compile_definitions(redlock_chaos PRIVATE REDLOCK_CHAOS_MARIADB)
    list(APPEND chaos_engines mariadb:20)
endif()
if(REDLOCK_ETCD AND REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
    target_sources(redlock_chaos PRIVATE chaos/deployment/etcd_members.cpp)
    target_compile_definitions(redlock_chaos PRIVATE REDLOCK_CHAOS_ETCD)
    list(APPEND chaos_engines etcd:30)
endif()
if(REDLOCK_ZOOKEEPER AND REDLOCK_ZOOKEEPER_SERVER)
    target_sources(redlock_chaos PRIVATE chaos/deployment/zookeeper_servers.cpp)
    target_compile_definitions(redlock_chaos PRIVATE REDLOCK_CHAOS_ZOOKEEPER)
    list(APPEND chaos_engines zookeeper:40)
endif()
target_link_libraries(redlock_chaos PRIVATE redlock_test_support)
target_compile_definitions(redlock_chaos PRIVATE REDLOCK_CHAOS_CLIENT="$<TARGET_FILE:redlock_chaos_client>")
add_dependencies(redlock_chaos redlock_chaos_client)
redlock_test(chaos SOURCES checker.cpp checker_test.cpp history.cpp)
# First, because they wait more than they work.
foreach(engine IN LISTS chaos_engines)
    string(REPLACE ":" ";" engine "${engine}")
    list(POP_BACK engine seconds)
    add_test(NAME chaos.${engine} COMMAND redlock_chaos --engine ${engine} --seconds ${seconds})
    set_tests_properties(
        chaos.${engine} PROPERTIES TIMEOUT 180 COST 1000 ENVIRONMENT "${redlock_test_environment}"
    )
endforeach()

# Programs of this project, run as a user runs them.
if(REDLOCK_BUILD_EXAMPLES AND NOT (REDLOCK_BOOST_JSON AND REDLOCK_BOOST_BEAST))
    redlock_leave_out("the tests of the examples" "Boost.JSON and Boost.Beast")
elseif(REDLOCK_BUILD_EXAMPLES)
    set(program_sources
        demo_test.cpp
        http_get.cpp
        http_orders_test.cpp
        json_source.cpp
        lock_examples_test.cpp
        metrics_test.cpp
        program.cpp
        structured_log_test.cpp
        without_lock_test.cpp
    )
    set(program_suites demo)
    set(programs cache_stampede callbacks hello_lock http_orders leader licence_pool lost_lease lost_lease_carry_on one_owner redlock_demo
                 single_flight structured_log transfer with_lock
    )
    if(REDLOCK_BUILD_BENCH)
        list(APPEND program_sources contention_bench_test.cpp lock_bench_test.cpp)
        list(APPEND program_suites contention_bench lock_bench engines_bench)
        list(APPEND programs contention_bench draw_charts engines_bench lock_bench)
    endif()
    find_package(PostgreSQL QUIET)
    if(PostgreSQL_FOUND AND REDLOCK_POSTGRES)
        list(APPEND program_sources fenced_table_test.cpp)
        list(APPEND programs fenced_table)
        if(REDLOCK_POSTGRESQL)
            list(APPEND program_sources guarded_stock_test.cpp)
            list(APPEND programs guarded_stock)
        endif()
    else()
        message(STATUS "No libpq or no PostgreSQL server: the example fenced_table is not tested")
    endif()
    if(REDLOCK_BUILD_BENCH)
        list(APPEND program_sources engines_bench_test.cpp)
    endif()
    find_program(REDLOCK_PROMETHEUS prometheus)
    if(REDLOCK_PROMETHEUS)
        list(APPEND program_sources prometheus_server.cpp)
    else()
        message(STATUS "No prometheus: no server of it scrapes the example http_orders")
    endif()
    redlock_test(program TIMEOUT 180 BUSY ${program_suites} LONG demo lock_examples SOURCES ${program_sources})
    target_compile_definitions(
        redlock_program_test PRIVATE REDLOCK_EXAMPLES="$<TARGET_FILE_DIR:redlock_demo>"
                                     REDLOCK_DASHBOARD="${PROJECT_SOURCE_DIR}/docs/grafana-dashboard.json"
    )
    if(REDLOCK_PROMETHEUS)
        target_compile_definitions(redlock_program_test PRIVATE REDLOCK_PROMETHEUS="${REDLOCK_PROMETHEUS}")
        target_link_libraries(redlock_program_test PRIVATE Boost::url)
    endif()
    if(REDLOCK_BUILD_BENCH)
        set(bench_engines memory redis)
        if(REDLOCK_POSTGRESQL AND REDLOCK_POSTGRES)
            list(APPEND bench_engines postgresql)
        endif()
        if(REDLOCK_POSTGRESQL AND REDLOCK_POSTGRES)
            list(APPEND bench_engines postgresql-session)
        endif()
        if(REDLOCK_MARIADB AND REDLOCK_MARIADB_SERVER)
            list(APPEND bench_engines mariadb)
        endif()
        if(REDLOCK_ETCD AND REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
            list(APPEND bench_engines etcd)
        endif()
        if(REDLOCK_ZOOKEEPER AND REDLOCK_ZOOKEEPER_SERVER)
            list(APPEND bench_engines zookeeper)
        endif()
        list(JOIN bench_engines " " bench_engines)
        target_compile_definitions(
            redlock_program_test PRIVATE REDLOCK_BENCH="$<TARGET_FILE:lock_bench>"
                                         REDLOCK_ENGINES_BENCH="$<TARGET_FILE:engines_bench>"
                                         REDLOCK_BENCH_ENGINES="${bench_engines}"
                                         REDLOCK_CONTENTION_BENCH="$<TARGET_FILE:contention_bench>"
                                         REDLOCK_PLOT="${PROJECT_SOURCE_DIR}/bench/plot.sh"
                                         REDLOCK_DRAW_CHARTS="$<TARGET_FILE:draw_charts>"
        )
    endif()
    add_dependencies(redlock_program_test ${programs})
endif()

# The redlock command.
if(REDLOCK_BUILD_TOOL)
    if(REDLOCK_TLS)
        set(tool_tls tls_test.cpp)
    endif()
    if(REDLOCK_POSTGRESQL AND REDLOCK_POSTGRES)
        set(tool_postgresql local_postgresql_test.cpp)
    endif()
    if(REDLOCK_MARIADB AND REDLOCK_MARIADB_SERVER)
        set(tool_mariadb local_mariadb_test.cpp mariadb_commands_test.cpp)
    endif()
    if(REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
        set(tool_etcd etcd_commands_test.cpp local_etcd_test.cpp)
    endif()
    if(REDLOCK_ZOOKEEPER AND REDLOCK_ZOOKEEPER_SERVER)
        set(tool_zookeeper local_zookeeper_test.cpp)
    endif()
    redlock_test(
        tool
        LONG run_fault
        LIBRARIES redlock_bench_figures
        SOURCES bench_figures_test.cpp
                bench_load_test.cpp
                bench_test.cpp
                break_test.cpp
                doctor_test.cpp
                elect_test.cpp
                etcd_findings_test.cpp
                findings_test.cpp
                findings_of_rights_test.cpp
                inspect_test.cpp
                key_board_test.cpp
                key_history_test.cpp
                list_test.cpp
                local_test.cpp
                login_test.cpp
                run_fault_test.cpp
                run_kinds_test.cpp
                run_signal_test.cpp
                run_test.cpp
                screen.cpp
                setter_test.cpp
                terminal.cpp
                terminal_test.cpp
                text_table_test.cpp
                top_test.cpp
                tool_fixture.cpp
                usage_test.cpp
                width_test.cpp
                ${tool_etcd}
                ${tool_postgresql}
                ${tool_mariadb}
                ${tool_zookeeper}
                ${tool_tls}
                ../program/program.cpp
                ../../src/tool/doctor/ability_findings.cpp
                ../../src/tool/doctor/etcd_findings.cpp
                ../../src/tool/doctor/findings.cpp
                ../../src/tool/doctor/node_findings.cpp
                ../../src/tool/look/key_board.cpp
                ../../src/tool/look/key_history.cpp
                ../../src/tool/look/verdict.cpp
    )
    target_compile_definitions(redlock_tool_test PRIVATE REDLOCK_TOOL="$<TARGET_FILE:redlock_tool>")
    add_dependencies(redlock_tool_test redlock_tool)
endif()

# Every block of code in the documentation.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_FOUND)
    redlock_leave_out("the tests of the documentation" Python3)
else()
    add_test(NAME layers COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/scripts/check-layers.py")
    file(GLOB_RECURSE documents CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/*.md")
    list(APPEND documents "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CONTRIBUTING.md")
    set(snippets "${CMAKE_CURRENT_BINARY_DIR}/snippets.cpp")
    add_custom_command(
        OUTPUT "${snippets}"
        COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/docs/extract.py" "${snippets}" "${PROJECT_SOURCE_DIR}"
                ${documents}
        DEPENDS docs/extract.py ${documents}
        VERBATIM
    )
    redlock_test(docs SOURCES snippet_test.cpp)
    target_sources(redlock_docs_test PRIVATE "${snippets}")
    if(REDLOCK_TLS)
        target_compile_definitions(redlock_docs_test PRIVATE REDLOCK_TLS)
    endif()
    # g++ takes what has the line numbers of a document for a header.
    set_source_files_properties(
        "${snippets}" PROPERTIES COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>"
    )
endif()

add_subdirectory(interop)
