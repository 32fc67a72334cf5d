#define BOOST_TEST_MODULE mariadb
#include <boost/test/unit_test.hpp>
