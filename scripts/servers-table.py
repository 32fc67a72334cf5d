#!/usr/bin/env python3
"""Prints what lock_bench measured with each server, as medians of all runs, for scripts/servers.sh."""

import json
import statistics
import sys

folder, rounds, *servers = sys.argv[1:]


def cycles_per_second(server):
    """Of each load, by how many locks it has in flight: all runs of all rounds."""
    found = {}
    for number in range(1, int(rounds) + 1):
        with open(f"{folder}/{server}.{number}.json", encoding="utf-8") as file:
            for load in json.load(file)["loads"]:
                runs = [run["cycles_per_second"] for run in load["library"]]
                found.setdefault(load["in_flight"], []).extend(runs)
    return {load: statistics.median(runs) for load, runs in found.items()}


measured = {server: cycles_per_second(server) for server in servers}
first = measured[servers[0]]
print("Lock + unlock a second, and how many times that of " + servers[0] + ", by locks in flight:")
print("".join(["server".ljust(12)] + [str(load).rjust(18) for load in first]))
for server, loads in measured.items():
    cells = [f"{loads[load]:.0f} ({loads[load] / first[load]:.2f})".rjust(18) for load in first]
    print(server.ljust(12) + "".join(cells))
