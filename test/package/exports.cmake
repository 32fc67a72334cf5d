# What the shared library exports of redlock is public: nothing of the layers below src is, but for two functions that
# headers call.
#   check_exports(<library>)
function(check_exports library)
    execute_process(
        COMMAND "${NM}" --dynamic --defined-only --format=posix "${library}" OUTPUT_VARIABLE exported
        COMMAND_ERROR_IS_FATAL ANY
    )
    foreach(name IN ITEMS redlock_lock redlock_unlock _ZN7redlock7versionEv
                          _ZN7redlock4lock21intrusive_ptr_add_refEPNS0_10held_leaseE
                          _ZN7redlock4lock21intrusive_ptr_releaseEPNS0_10held_leaseE
    )
        string(FIND "${exported}" "${name} T" place)
        if(place EQUAL -1)
            message(FATAL_ERROR "${library} does not export ${name}")
        endif()
        string(REPLACE "${name} T" "" exported "${exported}")
    endforeach()

    file(GLOB_RECURSE headers "${REDLOCK}/src/*.hpp")
    set(layers "")
    foreach(header IN LISTS headers)
        file(STRINGS "${header}" spaces REGEX "^namespace redlock::[a-z_]+")
        list(APPEND layers ${spaces})
    endforeach()
    list(TRANSFORM layers REPLACE "^namespace redlock::([a-z_]+).*" "\\1")
    list(REMOVE_DUPLICATES layers)
    list(REMOVE_ITEM layers blocking detail testing)
    list(LENGTH layers count)
    if(count LESS 10)
        message(FATAL_ERROR "The layers are not found any more: ${layers}")
    endif()
    foreach(layer IN LISTS layers)
        string(LENGTH "${layer}" length)
        if(exported MATCHES "(_Z[^ \n]*7redlock${length}${layer}[^ \n]*)")
            message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_1}, which is not public: see src/redlock.map")
        endif()
    endforeach()
endfunction()
