cmake_minimum_required(VERSION 3.22)

# Run after PROGRAM was linked: asks it for its suites and writes a test for each into LISTING, which ctest includes.

execute_process(
    COMMAND "${PROGRAM}" --list_content
    ERROR_VARIABLE content
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
)

# A name at the margin is a suite, or a case outside any suite; an asterisk says that it is enabled.
string(REGEX MATCHALL "(^|\n)[A-Za-z_0-9]+\\*" suites "${content}")
if(NOT suites)
    message(FATAL_ERROR "${PROGRAM} has no tests")
endif()

set(text "")
foreach(suite IN LISTS suites)
    string(REGEX REPLACE "[\n*]" "" suite "${suite}")
    string(REGEX REPLACE "_suite$" "" short "${suite}")
    set(name "${FOLDER}.${short}")
    set(alone OFF)
    if(suite IN_LIST SERIAL)
        set(alone ON)
    endif()
    set(processors 1)
    if(suite IN_LIST BUSY)
        set(processors 2)
    endif()
    set(cost 0)
    # What needs more room than one place would wait for it until nothing else is left.
    if(suite IN_LIST BUSY)
        set(cost 400)
    elseif(suite IN_LIST LONG)
        set(cost 100)
    endif()
    string(APPEND text
        "add_test([[${name}]] [[${PROGRAM}]] --run_test=${suite} --log_level=test_suite --color_output=no "
        "--catch_system_errors=no)\n"
        "set_tests_properties([[${name}]] PROPERTIES TIMEOUT ${TIMEOUT} RUN_SERIAL ${alone} "
        "PROCESSORS ${processors} COST ${cost} SKIP_RETURN_CODE 77 "
        "ENVIRONMENT [[${ENVIRONMENT}]])\n"
    )
endforeach()
foreach(suite IN LISTS SERIAL BUSY LONG)
    if(NOT content MATCHES "(^|\n)${suite}\\*")
        message(FATAL_ERROR "${PROGRAM} has no suite ${suite}")
    endif()
endforeach()
file(WRITE "${LISTING}" "${text}")
