# Packages: `cmake --build --preset package --target package` makes them for Debian. With a shared library there are
# libredlock<SOVERSION> and libredlock-dev, with a static one only the second; and redlock, where the command is built.
find_program(REDLOCK_GZIP gzip)
if(NOT PROJECT_IS_TOP_LEVEL OR NOT REDLOCK_GZIP)
    return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME redlock)
set(CPACK_PACKAGE_VENDOR "asio-redlock")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
# Whoever makes the packages answers for them, and says who that is as for other tools of Debian.
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL})
    set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
    cmake_host_system_information(RESULT host QUERY FQDN)
    set(CPACK_DEBIAN_PACKAGE_MAINTAINER "local build <root@${host}>")
endif()

get_target_property(soversion redlock SOVERSION)
set(runtime_package "libredlock${soversion}")
set(summary "distributed locks on a majority of Redis nodes")
set(description "Takes a lock as a lease on a majority of independent Redis masters (the
Redlock algorithm), for C++20 and Boost.Asio. Renews it in the background,
tells its holder when it is lost, and hands out fencing tokens."
)

# What Debian wants in every package, below a name that is the package's and not ours.
set(debian_dir "${PROJECT_BINARY_DIR}/debian")
file(READ "${PROJECT_SOURCE_DIR}/LICENSE" license)
string(REGEX REPLACE "^[^\n]*\n\n" "" license "${license}")
string(REGEX REPLACE "\n$" "" license "${license}")
string(REPLACE "\n" "\n " license_paragraphs " ${license}")
string(REPLACE "\n \n" "\n .\n" license_paragraphs "${license_paragraphs}")
configure_file("${PROJECT_SOURCE_DIR}/packaging/debian/copyright.in" "${debian_dir}/copyright" @ONLY)
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file("${PROJECT_SOURCE_DIR}/packaging/debian/changelog.in" "${debian_dir}/changelog" @ONLY)
function(compress text file)
    execute_process(
        COMMAND "${REDLOCK_GZIP}" -9nc "${text}" OUTPUT_FILE "${debian_dir}/${file}" COMMAND_ERROR_IS_FATAL ANY
    )
endfunction()
compress("${debian_dir}/changelog" changelog.Debian.gz)
compress("${PROJECT_SOURCE_DIR}/CHANGELOG.md" changelog.gz)

# A package of what <component> installs and of these files.
#   redlock_debian_package(<component> <name> <section> <text>)
macro(redlock_debian_package component name section text)
    install(
        FILES "${debian_dir}/copyright" "${debian_dir}/changelog.gz" "${debian_dir}/changelog.Debian.gz"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${name}"
        COMPONENT ${component}_debian
        EXCLUDE_FROM_ALL
    )
    list(APPEND CPACK_COMPONENTS_ALL ${component} ${component}_debian)
    foreach(part IN ITEMS ${component} ${component}_debian)
        string(TOUPPER "${part}" part)
        set(CPACK_COMPONENT_${part}_GROUP ${component}_deb)
    endforeach()
    string(TOUPPER "CPACK_DEBIAN_${component}_DEB" package)
    set(${package}_PACKAGE_NAME "${name}")
    set(${package}_PACKAGE_SECTION "${section}")
    set(${package}_DESCRIPTION "${text}")
endmacro()

set(CPACK_COMPONENTS_ALL "")
set(boost "${Boost_VERSION_MAJOR}.${Boost_VERSION_MINOR}")
set(needs_to_build "libboost${boost}-dev" "libboost-url${boost}-dev" libfmt-dev)
if(REDLOCK_TLS)
    list(APPEND needs_to_build libssl-dev)
endif()
if(REDLOCK_POSTGRESQL)
    list(APPEND needs_to_build libpq-dev)
endif()
if(REDLOCK_MARIADB)
    list(APPEND needs_to_build libmariadb-dev)
endif()
if(REDLOCK_ETCD)
    list(APPEND needs_to_build libnghttp2-dev)
endif()
if(BUILD_SHARED_LIBS)
    redlock_debian_package(runtime "${runtime_package}" libs "${summary}\n${description}")
    set(CPACK_DEBIAN_RUNTIME_DEB_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
    set(CPACK_DEBIAN_RUNTIME_DEB_PACKAGE_CONTROL_EXTRA "${PROJECT_SOURCE_DIR}/packaging/debian/triggers")
    set(same_library "${runtime_package} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
    list(PREPEND needs_to_build "${same_library}")
endif()
redlock_debian_package(development libredlock-dev libdevel "${summary}, to build with\n${description}")
list(JOIN needs_to_build ", " CPACK_DEBIAN_DEVELOPMENT_DEB_PACKAGE_DEPENDS)

if(REDLOCK_BUILD_TOOL)
    redlock_debian_package(tool redlock utils "${summary}, for the shell
Runs commands under locks, shows and breaks locks, examines the nodes, and
measures how many locks a second they grant."
    )
    # Debian wants its manuals compressed. Behind component tool, in whose package this one goes too.
    install(
        CODE "file(GLOB pages \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1/*.1\")
execute_process(COMMAND \"${REDLOCK_GZIP}\" -9nf \${pages} COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT tool_debian
        EXCLUDE_FROM_ALL
    )
    set(CPACK_DEBIAN_TOOL_DEB_PACKAGE_SHLIBDEPS ON)
    set(CPACK_DEBIAN_TOOL_DEB_PACKAGE_SUGGESTS "redis-server, postgresql, mariadb-server, etcd-server") # for `redlock local`
    if(BUILD_SHARED_LIBS)
        set(CPACK_DEBIAN_TOOL_DEB_PACKAGE_DEPENDS "${same_library}")
        # The library is in none of the packages that are installed.
        set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/src")
    endif()
endif()

include(CPack)
