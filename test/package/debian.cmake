# Makes the packages of Debian, installs them with dpkg into a root and a database of their own, builds the consumer with
# what came there, and takes them away again. Nothing of the machine is changed and no rights of root are needed; the
# database begins as a copy of the machine's, so dpkg checks the dependencies against what is there.

set(packages "${WORK}/packages")
set(root "${WORK}/root")
set(database "${WORK}/database")
run("${CMAKE_CPACK_COMMAND}" -G DEB --config "${BUILT}/CPackConfig.cmake" -B "${packages}")
file(GLOB files "${packages}/*.deb")
list(LENGTH files count)
if(NOT count EQUAL 3)
    message(FATAL_ERROR "There should be three packages: ${files}")
endif()

file(MAKE_DIRECTORY "${root}" "${database}/info" "${database}/updates" "${database}/triggers" "${WORK}/bin")
file(COPY /var/lib/dpkg/status DESTINATION "${database}")
foreach(kind IN ITEMS arch diversions statoverride)
    if(EXISTS "/var/lib/dpkg/${kind}")
        file(COPY "/var/lib/dpkg/${kind}" DESTINATION "${database}")
    endif()
endforeach()
file(WRITE "${database}/info/format" "1\n")
set(dpkg dpkg --admindir=${database} --instdir=${root} --log=${WORK}/dpkg.log --no-triggers --force-not-root
    --force-script-chrootless
)

# The cache of the machine's loader is not about this root. Who is not root may have no sbin, where dpkg looks for tools.
file(CREATE_LINK /bin/true "${WORK}/bin/ldconfig" SYMBOLIC)
set(ENV{PATH} "${WORK}/bin:$ENV{PATH}:/usr/sbin:/sbin")

# It warns of each package of the machine, of whose files the copy knows nothing.
execute_process(
    COMMAND ${dpkg} --install ${files} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said
)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "dpkg: ${said}")
endif()
set(names "")
foreach(file IN LISTS files)
    execute_process(
        COMMAND dpkg-deb --field "${file}" Package OUTPUT_VARIABLE name OUTPUT_STRIP_TRAILING_WHITESPACE
        COMMAND_ERROR_IS_FATAL ANY
    )
    list(APPEND names "${name}")
endforeach()
run_with_pkg_config("${root}/usr")

run_beside_library("${root}/usr" "${root}/usr/bin/redlock" --version)
foreach(text IN ITEMS man/man1/redlock-run.1.gz bash-completion/completions/redlock zsh/site-functions/_redlock)
    if(NOT EXISTS "${root}/usr/share/${text}")
        message(FATAL_ERROR "${text} is in no package")
    endif()
endforeach()

find_program(LINTIAN lintian)
if(LINTIAN)
    # The test's packages have a maintainer of a domain that cannot be.
    run("${LINTIAN}" --allow-root --no-cfg --fail-on error --suppress-tags bogus-mail-host
        ${files})
endif()

execute_process(
    COMMAND ${dpkg} --purge ${names} RESULT_VARIABLE result OUTPUT_VARIABLE said ERROR_VARIABLE said
)
file(GLOB_RECURSE left "${root}/*")
if(left OR NOT result EQUAL 0)
    message(FATAL_ERROR "dpkg left ${left}: ${said}")
endif()
