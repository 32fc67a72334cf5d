#define BOOST_TEST_MODULE sim_server
#include <boost/test/unit_test.hpp>
