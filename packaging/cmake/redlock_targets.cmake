include_guard(GLOBAL)

# Warnings and language settings that every target of this project is built with.
function(redlock_target_defaults target)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(
        ${target}
        PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
                $<$<BOOL:${REDLOCK_WERROR}>:-Werror>
    )
endfunction()

# A program of this project that uses the library.
#   redlock_program(<target> <source>...)
function(redlock_program target)
    add_executable(${target} ${ARGN})
    redlock_target_defaults(${target})
    target_link_libraries(${target} PRIVATE redlock::redlock)
endfunction()
