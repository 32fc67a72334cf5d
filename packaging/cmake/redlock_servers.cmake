include_guard(GLOBAL)

# Throw-away redis-server processes for the demo and the benchmark, which start their own nodes just as the tests do.
# Included as "support/...".
set(server_sources
    child_process.cpp
    distant_network.cpp
    loopback_port.cpp
    node_set.cpp
    packet_router.cpp
    process.cpp
    real_cluster.cpp
    redis_connection.cpp
    redis_server.cpp
    watched_group.cpp
    temporary_folder.cpp
)
if(REDLOCK_TLS)
    list(APPEND server_sources authority.cpp)
endif()
list(TRANSFORM server_sources PREPEND "${PROJECT_SOURCE_DIR}/test/support/")
add_library(redlock_servers STATIC ${server_sources})
redlock_target_defaults(redlock_servers)
target_include_directories(redlock_servers PUBLIC "${PROJECT_SOURCE_DIR}/test")
target_link_libraries(redlock_servers PUBLIC fmt::fmt)
if(REDLOCK_TLS)
    target_link_libraries(redlock_servers PUBLIC OpenSSL::SSL)
endif()
