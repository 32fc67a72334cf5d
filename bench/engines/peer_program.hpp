#pragma once

#include "load.hpp"

#include <string>
#include <vector>

namespace bench::engines {

// Usual clients that are programs of their own, and need not be there. What they come to is the latency and
// the throughput of the measured part, and their processor time for each cycle from their start on.

/// Whether the program can be run, and ends without an error.
bool can_run(const std::vector<std::string>& command);

/// Two statements through `pgbench`, in which `:client_id` is a caller's number, over 64 connections at most.
/// It counts in whole seconds. Throws std::runtime_error where it fails.
struct pgbench_script {
    const char* lock;
    const char* unlock;
};
extern const pgbench_script pgbench_advisory;
sample run_pgbench(const std::string& conninfo, const pgbench_script& with, const load& plan);
/// Whether it is here.
bool has_pgbench();

/// Clients of Python, see python_peer.py: `psycopg2` with what libpq needs to connect, or `kazoo` with the
/// servers.
sample run_python(const std::string& package, const std::string& where, const load& plan);
bool has_python(const std::string& package);

} // namespace bench::engines
