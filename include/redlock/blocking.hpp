#pragma once

#include <redlock/blocking/client.hpp>
#include <redlock/blocking/lease.hpp>
