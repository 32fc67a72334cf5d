// The one translation unit of the tests of programs that holds Boost.JSON.
#include <boost/json/src.hpp>
