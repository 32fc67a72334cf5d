// The one translation unit of the program that holds Boost.JSON.
#include <boost/json/src.hpp>
