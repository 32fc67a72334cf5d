#pragma once

#include <redlock/client.hpp>
#include <redlock/config.hpp>
#include <redlock/error.hpp>
#include <redlock/key_report.hpp>
#include <redlock/latency_histogram.hpp>
#include <redlock/lease.hpp>
#include <redlock/lock_options.hpp>
#include <redlock/metrics.hpp>
#include <redlock/observer.hpp>
#include <redlock/prometheus.hpp>
#include <redlock/version.hpp>
