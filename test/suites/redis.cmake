# Locks on nodes of Redis.

# Leaders and those who observe them, on real nodes.
redlock_test(
    election
    TIMEOUT 240
    SOURCES election_crowd_test.cpp
            election_cut_off_test.cpp
            election_fault_test.cpp
            election_nodes_test.cpp
            election_queue_test.cpp
            election_step_test.cpp
            ../client/forked_child.cpp
            ../client/lock_fixture.cpp
)
redlock_test(
    group
    TIMEOUT 240
    LONG sentinel_chaos sentinel_promotion sentinels
    SOURCES council_test.cpp
            sentinel_answers_test.cpp
            sentinels_test.cpp
            hostile_sentinel_test.cpp
            promotion_test.cpp
            group_chaos_test.cpp
            ../client/lock_fixture.cpp
)
redlock_test(
    cluster
    TIMEOUT 240
    LONG cluster_chaos cluster_promotion clusters migrations
    SOURCES cluster_answers_test.cpp
            cluster_chaos_test.cpp
            cluster_list_test.cpp
            cluster_test.cpp
            hash_slot_test.cpp
            hostile_cluster_test.cpp
            migration_test.cpp
            slot_council_test.cpp
            ../client/lock_fixture.cpp
)
# What compares times is not for a sanitizer, which changes them.
if(NOT REDLOCK_SANITIZE)
    redlock_test(distance OPTIMISED SERIAL far_nodes SOURCES distance_test.cpp ../client/lock_fixture.cpp)
    set(latency_suite latency)
    set(latency_source latency_test.cpp)
endif()
redlock_test(
    client
    TIMEOUT 240
    SERIAL ${latency_suite}
    BUSY fair_share
    LONG cancellation
         chaos
         fair_share
         holder
         loss
         node_fault_suite
         renewal
         shutdown_suite
         split_vote
         wakeup_suite
    SOURCES acquire_test.cpp
            any_operation.cpp
            any_operation_test.cpp
            break_kinds_test.cpp
            break_test.cpp
            cancellation_test.cpp
            chaos_test.cpp
            configuration_test.cpp
            credentials_test.cpp
            crowd_test.cpp
            diagnostics_limits_test.cpp
            diagnostics_test.cpp
            downgrade_fault_test.cpp
            downgrade_test.cpp
            empty_test.cpp
            examine_test.cpp
            false_node.cpp
            false_node_test.cpp
            fencing_check_test.cpp
            fencing_nodes_test.cpp
            fencing_test.cpp
            fork_test.cpp
            forked_child.cpp
            handoff_test.cpp
            handover_crowd_test.cpp
            handover_place_test.cpp
            handover_test.cpp
            stopped_head_test.cpp
            holder_test.cpp
            hostile_server_test.cpp
            inspect_test.cpp
            joint_release_test.cpp
            joint_renewal_test.cpp
            kinds_end_test.cpp
            kinds_step_test.cpp
            kinds_test.cpp
            label_test.cpp
            late_release_test.cpp
            latency_histogram_test.cpp
            ${latency_source}
            lease_step_test.cpp
            lease_test.cpp
            list_test.cpp
            lock_fixture.cpp
            loss_test.cpp
            lost_wakeup_test.cpp
            metrics_test.cpp
            native_release_test.cpp
            newcomer_test.cpp
            node_fault_test.cpp
            one_round_trip_test.cpp
            options_test.cpp
            overload_test.cpp
            prometheus_test.cpp
            read_write_fault_test.cpp
            read_write_test.cpp
            reading_rights_test.cpp
            renewal_phase_test.cpp
            renewal_test.cpp
            restart_guard_test.cpp
            server_error_test.cpp
            shutdown_test.cpp
            split_vote_test.cpp
            stalled_writer_test.cpp
            wakeup_mode.cpp
            wakeup_test.cpp
            with_diagnostics_test.cpp
            with_lock_test.cpp
            stranger_test.cpp
            joint_fencing_test.cpp
)

find_program(REDLOCK_PROMTOOL promtool)
if(REDLOCK_PROMTOOL)
    target_compile_definitions(redlock_client_test PRIVATE REDLOCK_PROMTOOL="${REDLOCK_PROMTOOL}")
else()
    message(STATUS "No promtool: the text for Prometheus is not checked with it")
endif()
# A process that tests kill while it holds a key.
redlock_program(redlock_client_test_holder client/holder.cpp)
# One whose machine can be suspended.
redlock_program(redlock_client_test_writer client/suspend.cpp client/writer.cpp)
target_link_options(redlock_client_test_writer PRIVATE "LINKER:--wrap=clock_gettime,--wrap=timerfd_settime")
add_dependencies(redlock_client_test redlock_client_test_holder redlock_client_test_writer)
target_compile_definitions(
    redlock_client_test PRIVATE REDLOCK_TEST_HOLDER="$<TARGET_FILE:redlock_client_test_holder>"
                                REDLOCK_TEST_WRITER="$<TARGET_FILE:redlock_client_test_writer>"
                                REDLOCK_RIGHTS_FILE="${PROJECT_SOURCE_DIR}/docs/guide/nodes.md"
)
