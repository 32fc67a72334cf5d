include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Component runtime is what a program that is linked with the shared library runs with, development what it is built with.
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/redlock")

install(
    TARGETS redlock
    EXPORT redlockTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            COMPONENT runtime
            NAMELINK_COMPONENT development
)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/redlock" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
install(
    EXPORT redlockTargets
    NAMESPACE redlock::
    DESTINATION "${package_dir}"
    COMPONENT development
)

configure_package_config_file(
    "${CMAKE_CURRENT_LIST_DIR}/redlockConfig.cmake.in" "${PROJECT_BINARY_DIR}/redlockConfig.cmake"
    INSTALL_DESTINATION "${package_dir}"
)
# Before 1.0 a new minor version may break what the one before it promised.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/redlockConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(
    FILES "${PROJECT_BINARY_DIR}/redlockConfig.cmake" "${PROJECT_BINARY_DIR}/redlockConfigVersion.cmake"
    DESTINATION "${package_dir}"
    COMPONENT development
)

if(REDLOCK_ETCD)
    install(
        FILES "${CMAKE_CURRENT_LIST_DIR}/FindNghttp2.cmake"
        DESTINATION "${package_dir}"
        COMPONENT development
    )
endif()

if(REDLOCK_MARIADB)
    install(
        FILES "${CMAKE_CURRENT_LIST_DIR}/FindMariaDB.cmake"
        DESTINATION "${package_dir}"
        COMPONENT development
    )
endif()

# For pkg-config. Folders below the prefix are found from where the file lies, so that the whole can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
set(pkgconfig_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${pkgconfig_dir}")
    file(RELATIVE_PATH up "/${pkgconfig_dir}" "/")
    string(REGEX REPLACE "/$" "" pkgconfig_prefix "\${pcfiledir}/${up}")
endif()
foreach(kind IN ITEMS libdir includedir)
    string(TOUPPER "CMAKE_INSTALL_${kind}" folder)
    cmake_path(ABSOLUTE_PATH ${folder} BASE_DIRECTORY "\${prefix}" OUTPUT_VARIABLE pkgconfig_${kind})
endforeach()
# Who links with the static library needs what it uses, with --static or without.
set(pkgconfig_public_libs "")
set(pkgconfig_private_libs "")
if(BUILD_SHARED_LIBS)
    set(pkgconfig_private ".private")
    set(pkgconfig_private_libs "-lboost_url")
else()
    set(pkgconfig_private "")
    set(pkgconfig_public_libs "-lboost_url")
endif()
# Not as a package: what it names for static linking is not installed with it.
if(REDLOCK_POSTGRESQL AND BUILD_SHARED_LIBS)
    string(APPEND pkgconfig_private_libs " -lpq")
elseif(REDLOCK_POSTGRESQL)
    string(APPEND pkgconfig_public_libs " -lpq")
endif()
set(pkgconfig_requires fmt)
if(REDLOCK_MARIADB)
    string(APPEND pkgconfig_requires ", libmariadb")
endif()
if(REDLOCK_ETCD)
    string(APPEND pkgconfig_requires ", libnghttp2")
endif()
if(REDLOCK_TLS)
    string(APPEND pkgconfig_requires ", openssl >= 3")
endif()
configure_file("${PROJECT_SOURCE_DIR}/packaging/redlock.pc.in" "${PROJECT_BINARY_DIR}/redlock.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/redlock.pc" DESTINATION "${pkgconfig_dir}" COMPONENT development)

include(redlock_package)
