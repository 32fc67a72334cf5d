# Locks in other engines than nodes of Redis, and by TLS.

if(REDLOCK_TLS)
    redlock_test(
        tls
        SOURCES record_boundaries_test.cpp
                tls_certificate_test.cpp
                tls_client_test.cpp
                tls_failure_test.cpp
                tls_peer.cpp
                tls_options_test.cpp
                tls_refusal_test.cpp
                tls_resumption_test.cpp
                tls_session_test.cpp
                tls_several_servers_test.cpp
                tls_stream_test.cpp
                ../client/forked_child.cpp
                ../client/lock_fixture.cpp
                ../session/virtual_wire.cpp
    )
endif()
if(REDLOCK_POSTGRESQL)
    set(postgresql_sources address_test.cpp batch_test.cpp one_alone_test.cpp contender_test.cpp failover_guard_test.cpp handshake_test.cpp
        key_pages_test.cpp left_rows_test.cpp holder_label_test.cpp session_ledger_test.cpp)
    if(REDLOCK_POSTGRES)
        list(APPEND postgresql_sources chaos_test.cpp guard_test.cpp keep_test.cpp lease_suites_test.cpp list_test.cpp ../owning/owner_test.cpp label_test.cpp
             session_test.cpp examination_test.cpp failover_test.cpp ../sql/engine_test.cpp ../sql/fault_test.cpp plan_test.cpp retake_test.cpp crash_test.cpp
        )
    else()
        message(STATUS "No PostgreSQL server: locks in a database are tested without one")
    endif()
    redlock_test(
        postgresql
        TIMEOUT 240
        LONG chaos_suite fault_suite lease_suites session_suite
        LIBRARIES PostgreSQL::PostgreSQL
        SOURCES ${postgresql_sources}
    )
    target_compile_definitions(redlock_postgresql_test PRIVATE REDLOCK_LEASE_TEST="$<TARGET_FILE_DIR:redlock_postgresql_test>/redlock_lease_test")
    add_dependencies(redlock_postgresql_test redlock_lease_test)
    # Where the cases that databases share find which one it is.
    target_include_directories(redlock_postgresql_test PRIVATE postgresql)
endif()
if(REDLOCK_MARIADB)
    set(mariadb_sources mariadb_address_test.cpp mariadb_handshake_test.cpp mariadb_one_row_test.cpp mariadb_pace_test.cpp mariadb_greeting_test.cpp)
    if(REDLOCK_MARIADB_SERVER)
        list(APPEND mariadb_sources ../sql/engine_test.cpp ../sql/fault_test.cpp mariadb_fence_test.cpp mariadb_guard_test.cpp
             mariadb_lease_suites_test.cpp mariadb_rights_test.cpp mariadb_many_keys_test.cpp mariadb_one_key_test.cpp mariadb_version_test.cpp
        )
        if(REDLOCK_TLS)
            list(APPEND mariadb_sources mariadb_tls_test.cpp)
        endif()
    else()
        message(STATUS "No MariaDB server: locks in such a database are tested without one")
    endif()
    redlock_test(
        mariadb
        TIMEOUT 480
        LONG fault_suite mariadb_lease_suites
        LIBRARIES MariaDB::MariaDB
        SOURCES ${mariadb_sources}
    )
    target_compile_definitions(redlock_mariadb_test PRIVATE REDLOCK_LEASE_TEST="$<TARGET_FILE_DIR:redlock_mariadb_test>/redlock_lease_test")
    add_dependencies(redlock_mariadb_test redlock_lease_test)
    target_include_directories(redlock_mariadb_test PRIVATE mariadb)
endif()
# Locks of two engines together.
set(pair_sources joint_acquisition_test.cpp joint_outcome_test.cpp)
# Simulations run in one thread, and unoptimised under AddressSanitizer fifty times as long: the classes that they run have
# tests of their own there.
if(NOT REDLOCK_SANITIZE)
    list(APPEND pair_sources simulation_test.cpp)
    set(etcd_model_sources model_test.cpp model/client.cpp model/client_leases.cpp model/store.cpp model/world.cpp
        model/client_observes.cpp)
    set(zookeeper_simulation simulation_test.cpp simulated_client.cpp simulated_contest.cpp
        simulated_leader.cpp simulation_leaders_test.cpp)
endif()
if(REDLOCK_POSTGRESQL AND REDLOCK_POSTGRES)
    list(APPEND pair_sources chaos_test.cpp double_lock_test.cpp fault_test.cpp lease_suites_test.cpp question_test.cpp)
endif()
redlock_test(
    pair
    OPTIMISED
    TIMEOUT 240
    LONG pair_chaos_suite pair_fault_suite pair_lease_suites
    SOURCES ${pair_sources}
)
target_compile_definitions(redlock_pair_test PRIVATE REDLOCK_LEASE_TEST="$<TARGET_FILE_DIR:redlock_pair_test>/redlock_lease_test")
add_dependencies(redlock_pair_test redlock_lease_test)

if(REDLOCK_ETCD)
    set(etcd_sources address_test.cpp malformed_test.cpp reply_test.cpp request_test.cpp key_names_test.cpp
        ${etcd_model_sources} place_test.cpp rewritten_test.cpp server_lease_term_test.cpp server_lease_test.cpp
        try_names_test.cpp joint_transaction_test.cpp)
    if(REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
        list(APPEND etcd_sources chaos_test.cpp engine_test.cpp fault_test.cpp keep_test.cpp lease_suites_test.cpp
             ../owning/owner_test.cpp downgrade_test.cpp many_test.cpp question_test.cpp read_write_test.cpp close_test.cpp
             overload_test.cpp late_grant_test.cpp joint_test.cpp
             ../client/forked_child.cpp ../leading/leading_test.cpp ../leading/leading_fault_test.cpp leader_test.cpp
             election_suites_test.cpp watch_test.cpp)
        if(REDLOCK_TLS)
            list(APPEND etcd_sources secure_test.cpp)
        endif()
    endif()
    redlock_test(
        etcd
        OPTIMISED
        TIMEOUT 240
        LONG chaos_suite close_suite downgrade_suite fault_suite late_grant_suite leading_fault_suite lease_suites many_suite
             overload_suite
        SOURCES ${etcd_sources}
    )
    target_compile_definitions(redlock_etcd_test PRIVATE REDLOCK_LEASE_TEST="$<TARGET_FILE_DIR:redlock_etcd_test>/redlock_lease_test"
                               REDLOCK_PRIMITIVE_TEST="$<TARGET_FILE_DIR:redlock_etcd_test>/redlock_primitive_test")
    add_dependencies(redlock_etcd_test redlock_lease_test redlock_primitive_test)
    target_include_directories(redlock_etcd_test PRIVATE etcd)
    set(etcd_line_sources hostile_test.cpp http2_peer.cpp http2_session_test.cpp reply_head_test.cpp)
    if(REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
        list(APPEND etcd_line_sources call_test.cpp fault_test.cpp login_test.cpp stop_test.cpp stream_test.cpp)
        if(REDLOCK_TLS)
            list(APPEND etcd_line_sources secure_test.cpp)
        endif()
    endif()
    redlock_test(etcd_line LONG fault_suite login_suite stream_suite SOURCES ${etcd_line_sources})
endif()
if(REDLOCK_ZOOKEEPER)
    set(zookeeper_sources address_test.cpp codec_test.cpp place_test.cpp ${zookeeper_simulation} reading_test.cpp
        statement_test.cpp)
    if(REDLOCK_ZOOKEEPER_SERVER)
        list(APPEND zookeeper_sources chaos_test.cpp engine_test.cpp fault_test.cpp lease_suites_test.cpp keep_test.cpp
             joint_test.cpp ../owning/owner_test.cpp read_write_test.cpp overload_test.cpp fork_test.cpp
             ../client/forked_child.cpp
             ../leading/leading_test.cpp ../leading/leading_fault_test.cpp leader_test.cpp stranger.cpp
             election_suites_test.cpp)
    else()
        message(STATUS "No ZooKeeper server: locks in ZooKeeper are tested without one")
    endif()
    redlock_test(
        zookeeper
        OPTIMISED
        TIMEOUT 240
        LONG chaos_suite fault_suite fork_suite leading_fault_suite lease_suites overload_suite read_write_suite
        SOURCES ${zookeeper_sources}
    )
    target_compile_definitions(redlock_zookeeper_test PRIVATE REDLOCK_LEASE_TEST="$<TARGET_FILE_DIR:redlock_zookeeper_test>/redlock_lease_test"
                               REDLOCK_PRIMITIVE_TEST="$<TARGET_FILE_DIR:redlock_zookeeper_test>/redlock_primitive_test")
    add_dependencies(redlock_zookeeper_test redlock_lease_test redlock_primitive_test)
    target_include_directories(redlock_zookeeper_test PRIVATE zookeeper)
endif()
