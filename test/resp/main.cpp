#define BOOST_TEST_MODULE resp
#include <boost/test/unit_test.hpp>
