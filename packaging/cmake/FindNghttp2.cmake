# The C library nghttp2, of which some builds bring a description for CMake and others, such as that of Debian, only one for
# pkg-config. Makes the target Nghttp2::Nghttp2.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(Nghttp2_PC QUIET libnghttp2)
endif()

find_path(Nghttp2_INCLUDE_DIR nghttp2/nghttp2.h HINTS ${Nghttp2_PC_INCLUDEDIR} ${Nghttp2_PC_INCLUDE_DIRS})
find_library(Nghttp2_LIBRARY NAMES nghttp2 nghttp2_static HINTS ${Nghttp2_PC_LIBDIR} ${Nghttp2_PC_LIBRARY_DIRS})
mark_as_advanced(Nghttp2_INCLUDE_DIR Nghttp2_LIBRARY)

if(Nghttp2_INCLUDE_DIR AND EXISTS "${Nghttp2_INCLUDE_DIR}/nghttp2/nghttp2ver.h")
    set(version_pattern "^#define NGHTTP2_VERSION \"([0-9.]+).*")
    file(STRINGS "${Nghttp2_INCLUDE_DIR}/nghttp2/nghttp2ver.h" Nghttp2_VERSION REGEX "${version_pattern}")
    string(REGEX REPLACE "${version_pattern}" "\\1" Nghttp2_VERSION "${Nghttp2_VERSION}")
    unset(version_pattern)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    Nghttp2
    REQUIRED_VARS Nghttp2_LIBRARY Nghttp2_INCLUDE_DIR
    VERSION_VAR Nghttp2_VERSION
)

if(Nghttp2_FOUND AND NOT TARGET Nghttp2::Nghttp2)
    add_library(Nghttp2::Nghttp2 UNKNOWN IMPORTED)
    set_target_properties(
        Nghttp2::Nghttp2
        PROPERTIES IMPORTED_LOCATION "${Nghttp2_LIBRARY}"
                   INTERFACE_INCLUDE_DIRECTORIES "${Nghttp2_INCLUDE_DIR}"
    )
endif()
