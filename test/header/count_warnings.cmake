# Compiles a file in which each statement that stands alone in a function drops something, and wants a warning for each.
execute_process(
    COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -Wall "-I${INCLUDE}" "${SOURCE}"
    ERROR_VARIABLE said
    RESULT_VARIABLE failed
)
if(failed)
    message(FATAL_ERROR "${SOURCE} does not compile:\n${said}")
endif()
string(REGEX MATCHALL "\\[-Wunused-(result|value)[^]]*\\]" warnings "${said}")
list(LENGTH warnings found)
file(STRINGS "${SOURCE}" statements REGEX "^    (locks|held)\\.|^    take\\(")
list(LENGTH statements wanted)
if(wanted EQUAL 0 OR NOT found EQUAL wanted)
    message(FATAL_ERROR "${found} warnings for ${wanted} statements:\n${said}")
endif()
