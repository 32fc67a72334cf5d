#define BOOST_TEST_MODULE postgresql
#include <boost/test/unit_test.hpp>
