# API reference of the public headers: the target docs writes it to docs/reference in the build folder. It fails when
# something public has no comment, or one that cannot be read; so does the test.
find_program(REDLOCK_DOXYGEN doxygen)
if(NOT REDLOCK_DOXYGEN)
    message(STATUS "No doxygen: without the reference")
    return()
endif()

set(reference_dir "${PROJECT_BINARY_DIR}/docs/reference")
configure_file("${PROJECT_SOURCE_DIR}/docs/Doxyfile.in" "${PROJECT_BINARY_DIR}/docs/Doxyfile" @ONLY)
file(MAKE_DIRECTORY "${reference_dir}")
add_custom_target(docs COMMAND "${REDLOCK_DOXYGEN}" "${PROJECT_BINARY_DIR}/docs/Doxyfile" VERBATIM)
if(REDLOCK_BUILD_TESTS AND NOT REDLOCK_SANITIZE)
    add_test(NAME reference COMMAND "${REDLOCK_DOXYGEN}" "${PROJECT_BINARY_DIR}/docs/Doxyfile")
    set_tests_properties(reference PROPERTIES TIMEOUT 120)
endif()
