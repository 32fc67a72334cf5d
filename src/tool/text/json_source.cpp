// The one translation unit of the tool that holds Boost.JSON.
#include <boost/json/src.hpp>
