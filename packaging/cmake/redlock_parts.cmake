include_guard(GLOBAL)

# What is built beside the library, by default as far as what it needs is there.
option(REDLOCK_COMPLETE "Fail where something that a part needs is missing, instead of leaving the part out" OFF)

# Says that <what> is left out for want of <wanted>.
function(redlock_leave_out what wanted)
    if(REDLOCK_COMPLETE)
        message(FATAL_ERROR "No ${wanted}, which ${what} needs")
    endif()
    message(STATUS "No ${wanted}: without ${what}")
endfunction()

# Turns <option> off, which <part> is built by, unless the condition holds, which it does where <wanted> is there.
#   redlock_part_needs(<option> <part> <wanted> <condition>...)
macro(redlock_part_needs option part wanted)
    if(${option} AND NOT (${ARGN}))
        redlock_leave_out("${part}" "${wanted}")
        set(${option} OFF)
    endif()
endmacro()

if(REDLOCK_TLS)
    find_package(OpenSSL 3.0 QUIET COMPONENTS SSL Crypto)
endif()
redlock_part_needs(REDLOCK_TLS "TLS" "OpenSSL 3" OpenSSL_FOUND)

# Pipelines came with libpq 14.
if(REDLOCK_POSTGRESQL)
    find_package(PostgreSQL 14 QUIET)
endif()
redlock_part_needs(REDLOCK_POSTGRESQL "locks in PostgreSQL" "libpq 14" PostgreSQL_FOUND)

if(REDLOCK_MARIADB)
    find_package(MariaDB 3.1 QUIET)
endif()
redlock_part_needs(REDLOCK_MARIADB "locks in MariaDB" "libmariadb 3.1" MariaDB_FOUND)

# HTTP/2 is nghttp2's. The messages in it are read and written by protozero, which is headers that nobody but the library
# itself includes.
find_path(REDLOCK_PROTOZERO protozero/pbf_reader.hpp)
mark_as_advanced(REDLOCK_PROTOZERO)
if(REDLOCK_ETCD)
    find_package(Nghttp2 QUIET)
endif()
redlock_part_needs(REDLOCK_ETCD "locks in etcd" nghttp2 Nghttp2_FOUND)
redlock_part_needs(REDLOCK_ETCD "locks in etcd" protozero REDLOCK_PROTOZERO)

# A compiled part of Boost. In a function: that one is missing does not mean that Boost is.
function(redlock_find_boost component)
    find_package(Boost 1.81 CONFIG QUIET COMPONENTS ${component})
endfunction()

# Parts of Boost that are headers alone. Who has them one by one need not have all.
find_path(REDLOCK_BOOST_BEAST boost/beast/http.hpp HINTS ${Boost_INCLUDE_DIRS})
find_path(REDLOCK_BOOST_JSON boost/json/src.hpp HINTS ${Boost_INCLUDE_DIRS})
mark_as_advanced(REDLOCK_BOOST_BEAST REDLOCK_BOOST_JSON)

if(REDLOCK_BUILD_TOOL)
    find_package(CLI11 CONFIG QUIET)
endif()
redlock_part_needs(REDLOCK_BUILD_TOOL "the command" CLI11 TARGET CLI11::CLI11)
redlock_part_needs(REDLOCK_BUILD_TOOL "the command" Boost.JSON REDLOCK_BOOST_JSON)
redlock_part_needs(REDLOCK_BUILD_BENCH "the benchmarks" Boost.JSON REDLOCK_BOOST_JSON)
if(REDLOCK_BUILD_TESTS)
    redlock_find_boost(unit_test_framework)
endif()
redlock_part_needs(REDLOCK_BUILD_TESTS "the tests" Boost.Test TARGET Boost::unit_test_framework)
