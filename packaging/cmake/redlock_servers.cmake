include_guard(GLOBAL)

# What others than the first to include this are to know is in the cache.

# Throw-away redis-server and PostgreSQL processes for the demo and the benchmark, which start their own nodes just as the tests do.
# Included as "support/...".
set(server_sources
    child_process.cpp
    distant_network.cpp
    loop_thread.cpp
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
# Debian keeps the server of each version out of the PATH.
file(GLOB postgresql_folders "/usr/lib/postgresql/*/bin")
list(SORT postgresql_folders COMPARE NATURAL ORDER DESCENDING)
find_program(REDLOCK_POSTGRES postgres HINTS ${postgresql_folders})
if(REDLOCK_POSTGRES)
    cmake_path(GET REDLOCK_POSTGRES PARENT_PATH postgresql_folder)
    target_sources(redlock_servers PRIVATE "${PROJECT_SOURCE_DIR}/test/support/postgres_server.cpp")
    target_compile_definitions(redlock_servers PRIVATE REDLOCK_POSTGRESQL_PROGRAMS="${postgresql_folder}")
endif()
find_program(REDLOCK_ETCD_SERVER etcd)
find_program(REDLOCK_ETCDCTL etcdctl)
if(REDLOCK_ETCD_SERVER AND REDLOCK_ETCDCTL)
    target_sources(
        redlock_servers
        PRIVATE "${PROJECT_SOURCE_DIR}/test/support/etcd_server.cpp"
                "${PROJECT_SOURCE_DIR}/test/support/etcd_server_answers.cpp"
                "${PROJECT_SOURCE_DIR}/test/support/member_links.cpp"
    )
    target_compile_definitions(
        redlock_servers PRIVATE REDLOCK_ETCD_SERVER="${REDLOCK_ETCD_SERVER}" REDLOCK_ETCDCTL="${REDLOCK_ETCDCTL}"
    )
    target_link_libraries(redlock_servers PRIVATE Boost::headers)
endif()
# Debian's package without the service: the jar, and a Java to run it.
find_program(REDLOCK_JAVA java)
set(REDLOCK_ZOOKEEPER_SERVER FALSE CACHE INTERNAL "")
if(REDLOCK_JAVA AND EXISTS /usr/share/java/zookeeper.jar)
    set(REDLOCK_ZOOKEEPER_SERVER TRUE CACHE INTERNAL "")
    target_sources(redlock_servers PRIVATE "${PROJECT_SOURCE_DIR}/test/support/zookeeper_server.cpp")
endif()
# So it does with this one, for others than root.
set(REDLOCK_MARIADB_SERVER FALSE CACHE INTERNAL "")
find_program(REDLOCK_MARIADBD mariadbd HINTS /usr/sbin)
find_program(REDLOCK_MARIADB_INSTALL mariadb-install-db)
if(REDLOCK_MARIADBD AND REDLOCK_MARIADB_INSTALL)
    target_sources(redlock_servers PRIVATE "${PROJECT_SOURCE_DIR}/test/support/mariadb_server.cpp")
    target_compile_definitions(
        redlock_servers PRIVATE REDLOCK_MARIADBD="${REDLOCK_MARIADBD}" REDLOCK_MARIADB_INSTALL="${REDLOCK_MARIADB_INSTALL}"
    )
    set(REDLOCK_MARIADB_SERVER TRUE CACHE INTERNAL "")
endif()
