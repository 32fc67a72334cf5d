#define BOOST_TEST_MODULE etcd_line
#include <boost/test/unit_test.hpp>
