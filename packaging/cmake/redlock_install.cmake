include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/redlock")

install(
    TARGETS redlock
    EXPORT redlockTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/redlock" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(
    EXPORT redlockTargets
    NAMESPACE redlock::
    DESTINATION "${package_dir}"
)

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/redlockConfig.cmake.in" "${PROJECT_BINARY_DIR}/redlockConfig.cmake"
    INSTALL_DESTINATION "${package_dir}"
)
# Before 1.0 a new minor version may break what the one before it promised.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/redlockConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/redlockConfig.cmake" "${PROJECT_BINARY_DIR}/redlockConfigVersion.cmake"
        DESTINATION "${package_dir}"
)
