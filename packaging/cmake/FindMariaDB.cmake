# The C library of MariaDB, libmariadb, of which Debian has a description for pkg-config only. Makes the target
# MariaDB::MariaDB.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(MariaDB_PC QUIET libmariadb)
endif()

find_path(MariaDB_INCLUDE_DIR mariadb_version.h HINTS ${MariaDB_PC_INCLUDEDIR} ${MariaDB_PC_INCLUDE_DIRS} PATH_SUFFIXES mariadb)
find_library(MariaDB_LIBRARY NAMES mariadb HINTS ${MariaDB_PC_LIBDIR} ${MariaDB_PC_LIBRARY_DIRS} PATH_SUFFIXES mariadb)
mark_as_advanced(MariaDB_INCLUDE_DIR MariaDB_LIBRARY)

if(MariaDB_INCLUDE_DIR AND EXISTS "${MariaDB_INCLUDE_DIR}/mariadb_version.h")
    set(version_pattern "^#define MARIADB_PACKAGE_VERSION \"([0-9.]+).*")
    file(STRINGS "${MariaDB_INCLUDE_DIR}/mariadb_version.h" MariaDB_VERSION REGEX "${version_pattern}")
    string(REGEX REPLACE "${version_pattern}" "\\1" MariaDB_VERSION "${MariaDB_VERSION}")
    unset(version_pattern)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
    MariaDB
    REQUIRED_VARS MariaDB_LIBRARY MariaDB_INCLUDE_DIR
    VERSION_VAR MariaDB_VERSION
)

if(MariaDB_FOUND AND NOT TARGET MariaDB::MariaDB)
    add_library(MariaDB::MariaDB UNKNOWN IMPORTED)
    set_target_properties(
        MariaDB::MariaDB
        PROPERTIES IMPORTED_LOCATION "${MariaDB_LIBRARY}"
                   INTERFACE_INCLUDE_DIRECTORIES "${MariaDB_INCLUDE_DIR}"
    )
endif()
