include_guard(GLOBAL)

# Choices for who builds this project on its own. A project that takes redlock in by add_subdirectory makes its own.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Debug, Release, RelWithDebInfo or MinSizeRel" FORCE)
endif()
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
    find_program(REDLOCK_CCACHE ccache)
    if(REDLOCK_CCACHE)
        # Without these, ccache refuses whatever uses a precompiled header.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            "${CMAKE_COMMAND}" -E env "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime"
            "${REDLOCK_CCACHE}"
        )
    endif()
endif()

include(CheckLinkerFlag)
foreach(linker IN ITEMS mold lld)
    check_linker_flag(CXX "-fuse-ld=${linker}" REDLOCK_HAS_${linker})
    if(REDLOCK_HAS_${linker})
        add_link_options("-fuse-ld=${linker}")
        break()
    endif()
endforeach()

if(REDLOCK_SANITIZE)
    add_compile_options("-fsanitize=${REDLOCK_SANITIZE}" -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options("-fsanitize=${REDLOCK_SANITIZE}")
endif()

# All that is fuzzed tells the fuzzer which ways it took.
if(REDLOCK_BUILD_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
    add_link_options(-fsanitize=fuzzer-no-link)
endif()
