include_guard(GLOBAL)

# Compiles the files of `target` many at a time: quick for who builds all of it, slow for who changes one.
function(redlock_unity target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 20)
    # A file then sees the names of others. And g++ takes one that is included for a header, whose types shall not have
    # members of unnamed namespaces.
    target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# Files that cannot be compiled together with others, mostly because both have a name for something of their own.
function(redlock_compile_alone)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# Warnings and language settings that every target of this project is built with.
function(redlock_target_defaults target)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(
        ${target}
        PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
                $<$<BOOL:${REDLOCK_WERROR}>:-Werror>
                # g++ inlines the operator new of an Asio coroutine's frame but not its operator delete, and then takes
                # the pair for a mismatch. g++ 12 at -O2 sees overlapping copies where two strings are joined.
                "$<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete;-Wno-restrict>"
    )
    # g++ warns without sanitizers of the same, and of more that is not there with them; it takes a tenth of its time.
    if(REDLOCK_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -w)
    endif()
    if(REDLOCK_UNITY)
        redlock_unity(${target})
    endif()
endfunction()

# A program of this project that uses the library.
#   redlock_program(<target> <source>...)
function(redlock_program target)
    add_executable(${target} ${ARGN})
    redlock_target_defaults(${target})
    target_link_libraries(${target} PRIVATE redlock::redlock)
    redlock_precompile(${target})
endfunction()

# Lets the files of `target` find Asio, which most of their compile time goes into, already compiled. It is compiled
# once for all targets: they have the same flags, except for a shared library.
function(redlock_precompile target)
    if(NOT REDLOCK_PCH OR BUILD_SHARED_LIBS)
        return()
    endif()
    if(NOT TARGET redlock_asio)
        file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/asio.cpp" CONTENT "// Nothing but the precompiled header.\n")
        add_library(redlock_asio OBJECT "${PROJECT_BINARY_DIR}/asio.cpp")
        redlock_target_defaults(redlock_asio)
        target_link_libraries(redlock_asio PRIVATE Boost::headers Threads::Threads)
        target_precompile_headers(redlock_asio PRIVATE <boost/asio.hpp>)
    endif()
    target_precompile_headers(${target} REUSE_FROM redlock_asio)
endfunction()
