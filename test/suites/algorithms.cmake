# What has no server, and the servers of the simulation.

redlock_test(
    resp
    OPTIMISED
    SOURCES agreement.cpp
            allocation_count.cpp
            allocation_test.cpp
            command_batch_test.cpp
            command_test.cpp
            feeding.cpp
            fragment_test.cpp
            fuzz_test.cpp
            kind_test.cpp
            limit_test.cpp
            malformed_test.cpp
            random_value.cpp
            receive_buffer_test.cpp
            server_test.cpp
)

redlock_test(
    session
    OPTIMISED
    SOURCES fuzz_test.cpp
            hostile_run.cpp
            model_server.cpp
            low_water_test.cpp
            step_test.cpp
            virtual_wire.cpp
            virtual_world.cpp
            watched_node.cpp
            watched_node_calls.cpp
)
redlock_test(
    core
    OPTIMISED
    SOURCES flow/admission_opening_test.cpp
            flow/admission_window_test.cpp
            quorum/arbitration_test.cpp
            quorum/availability_test.cpp
            flow/command_time_test.cpp
            quorum/contender_refusal_test.cpp
            quorum/contender_test.cpp
            quorum/fence_life_test.cpp
            quorum/fence_rule_test.cpp
            histogram_test.cpp
            holder_value_test.cpp
            lease_state_test.cpp
            election/leader_sight_test.cpp
            quorum/lookout_courses_test.cpp
            quorum/lookout_crowd_test.cpp
            quorum/lookout_news_test.cpp
            lock_token_test.cpp
            quorum/lookout_test.cpp
            flow/low_water_test.cpp
            quorum/node_set_test.cpp
            quorum/pauses_test.cpp
            queue/handover_row_test.cpp
            queue/queued_contender_test.cpp
            printable_test.cpp
            sha256_test.cpp
            flow/round_trips_test.cpp
            flow/usual_round_trip_test.cpp
            flow/slow_link.cpp
            flow/slow_link_test.cpp
            quorum/tally_test.cpp
            timer_queue_test.cpp
            validity_test.cpp
            queue/open_door_test.cpp
            queue/door_world_test.cpp
            quorum/contender_queue_test.cpp
            election/leader_record_test.cpp
            election/observation_test.cpp
            flow/pace_test.cpp
            queue/queued_yield_test.cpp
            flow/admission_place_test.cpp
            queue/untold_pace_test.cpp
)

# Unoptimised, and looked at by AddressSanitizer, these worlds take minutes of a core. What is precompiled is not optimised either.
if(REDLOCK_SANITIZE MATCHES "address")
    set_source_files_properties(
        core/flow/slow_link.cpp core/queue/door_world_test.cpp PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON
                                                                          SKIP_UNITY_BUILD_INCLUSION ON
    )
endif()

redlock_test(
    redis
    SOURCES answers_test.cpp
            commands_test.cpp
            debts_test.cpp
            key_search_test.cpp
            leader_answers_test.cpp
            queue_script_test.cpp
            readers_answer_test.cpp
            rights_test.cpp
            scripts_test.cpp
            server_dialect_test.cpp
            token_news_test.cpp
            advance_several_test.cpp
)
# The quorum on nodes whose answers the test gives.
redlock_test(
    quorum
    SOURCES contest_test.cpp
            fence_telling_test.cpp
            nodes_test.cpp
            joint_release_test.cpp
            joint_read_test.cpp
            joint_renewal_test.cpp
            newcomer_test.cpp
            release_test.cpp
            renewal_test.cpp
            scripted_quorum.cpp
            split_vote_test.cpp
            token_test.cpp
            waiting_test.cpp
            drain_test.cpp
            hand_overs_test.cpp
            queue_refusal_test.cpp
            queue_test.cpp
            downgrade_test.cpp
            joint_advance_test.cpp
            joint_advance_fault_test.cpp
            untold_queue_test.cpp
)

# What is made of leases, likewise.
redlock_test(
    primitive
    SOURCES downgrade_test.cpp
            election_coroutine_test.cpp
            election_loss_test.cpp
            election_step_test.cpp
            election_test.cpp
            every_step_test.cpp
            kind_loss_test.cpp
            kind_observation_test.cpp
            kind_step_test.cpp
            lock_all_coroutine_test.cpp
            lock_all_loss_test.cpp
            lock_all_test.cpp
            ordered_taking_test.cpp
            permits_test.cpp
            reading_test.cpp
            slot_search_test.cpp
            ../lease/lease_fixture.cpp
            permit_gates_test.cpp
)

find_package(Lua 5.1 EXACT)
if(NOT LUA_FOUND)
    redlock_leave_out("the simulation" "Lua 5.1")
else()
    add_subdirectory(sim)
    # The servers of the simulation, compared with a real one.
    redlock_test(
        sim_server
        OPTIMISED
        SOURCES real_server_test.cpp
                script_engine_test.cpp
                server_test.cpp
    )
    target_sources(redlock_sim_server_test PRIVATE $<TARGET_OBJECTS:redlock_sim_world>)
    target_link_libraries(redlock_sim_server_test PRIVATE ${LUA_LIBRARIES})
    target_include_directories(redlock_sim_server_test SYSTEM PRIVATE ${LUA_INCLUDE_DIR})
endif()
