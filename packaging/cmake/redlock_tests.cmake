include_guard(GLOBAL)

# Seconds that the tests are given are for a plain build; sanitizers slow them down.
if(REDLOCK_SANITIZE)
    set(redlock_test_patience 3)
else()
    set(redlock_test_patience 1)
endif()

# A program that cannot run its tests on this machine says why and ends with 77, which ctest shows as skipped.

# Sanitizers stop at the first finding and say where it is. ThreadSanitizer ends a child of several threads that starts one,
# unless it is told not to: our children do, and what they do without its eyes is still asked for (docs/traps.md).
set(redlock_test_environment
    "ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:check_initialization_order=1:handle_sigill=1"
    "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1"
    "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:die_after_fork=0"
)

# One executable of Boost.Test cases for a folder, and one entry in ctest for each suite in it.
#   redlock_test(<folder> [OPTIMISED] [TIMEOUT <seconds>] [SERIAL <suite>...] [BUSY <suite>...] [LONG <suite>...]
#                [LIBRARIES <target>...] SOURCES <file>...)
# TIMEOUT holds for each suite. Most suites wait for most of their time, so several run on each core. Beside one named in
# SERIAL nothing else runs: it compares times. One named in BUSY leaves room for few others, one in LONG begins early.
# OPTIMISED is a program that works much itself. Others are built from nothing more quickly without the optimiser, which
# takes longer than what it saves when they run; what they test is optimised.
function(redlock_test folder)
    cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMISED" "TIMEOUT" "SERIAL;BUSY;LONG;SOURCES;LIBRARIES")
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 120)
    endif()
    math(EXPR timeout "${arg_TIMEOUT} * ${redlock_test_patience}")

    list(TRANSFORM arg_SOURCES PREPEND "${folder}/")
    set(target redlock_${folder}_test)
    redlock_program(${target} ${folder}/main.cpp ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE redlock_test_support ${arg_LIBRARIES})
    if(REDLOCK_UNITY AND NOT arg_OPTIMISED)
        target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O0>)
        set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON) # which is optimised
    endif()

    # What UndefinedBehaviorSanitizer finds in the tests' own code and in the headers that they use ends the program where
    # it stands, of which AddressSanitizer tells file and line. To find words for it takes g++ a third of all its time. It
    # does not look at types of objects then (vptr): that is left to the files of the library.
    if(REDLOCK_SANITIZE MATCHES "address.*undefined" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fsanitize-undefined-trap-on-error)
    endif()

    set(listing "${CMAKE_CURRENT_BINARY_DIR}/${folder}_suites.cmake")
    add_custom_command(
        TARGET ${target} POST_BUILD
        COMMAND
            "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${target}>" "-DFOLDER=${folder}" "-DLISTING=${listing}"
            "-DTIMEOUT=${timeout}" "-DSERIAL=${arg_SERIAL}" "-DBUSY=${arg_BUSY}" "-DLONG=${arg_LONG}"
            "-DENVIRONMENT=${redlock_test_environment}" -P
            "${PROJECT_SOURCE_DIR}/packaging/cmake/list_suites.cmake"
        VERBATIM
    )
    file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${folder}_tests.cmake" CONTENT [[
if(EXISTS "@listing@")
    include("@listing@")
else()
    add_test("@folder@" "@target@ is not built")
endif()
]] @ONLY)
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_CURRENT_BINARY_DIR}/${folder}_tests.cmake")
endfunction()
