# Carries the port of vcpkg out, with functions of our own in the place of vcpkg's: the configuration is a real one, what is
# installed comes from the build in BUILT.

set(PORT redlock)
set(CURRENT_PACKAGES_DIR "${WORK}/packages")
file(REMOVE_RECURSE "${WORK}")

function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -G "${GENERATOR}" ${arg_OPTIONS}
        ERROR_VARIABLE warnings OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
    )
    if(warnings)
        message(FATAL_ERROR "${warnings}")
    endif()
endfunction()

function(vcpkg_cmake_install)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" --install "${BUILT}" --component development --prefix "${CURRENT_PACKAGES_DIR}"
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY
    )
endfunction()

function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
    file(MAKE_DIRECTORY "${CURRENT_PACKAGES_DIR}/share")
    file(RENAME "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}" "${CURRENT_PACKAGES_DIR}/share/${PORT}")
endfunction()

function(vcpkg_fixup_pkgconfig)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/redlock.pc")
        message(FATAL_ERROR "There is no redlock.pc")
    endif()
endfunction()

function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    file(INSTALL ${arg_FILE_LIST} DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}" RENAME copyright)
endfunction()

include("${REDLOCK}/packaging/vcpkg/ports/redlock/portfile.cmake")

foreach(file IN ITEMS include/redlock/redlock.hpp share/redlock/redlockConfig.cmake share/redlock/copyright
                      share/redlock/usage
)
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${file}")
        message(FATAL_ERROR "The port installs no ${file}")
    endif()
endforeach()
