#define BOOST_TEST_MODULE primitive
#include <boost/test/unit_test.hpp>
