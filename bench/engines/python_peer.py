"""Closed loops of locks and unlocks with clients of Python: PACKAGE WHERE IN-FLIGHT WARM-UP-MS DURATION-MS.

Threads, 64 at most, as ordinary programs have them. Prints what it came to as one line of JSON."""

import json
import sys
import threading
import time

MOST_CONNECTIONS = 64


def psycopg2_callers(where, count):
    """pg_advisory_lock, a connection for each."""
    import psycopg2

    def caller(number):
        connection = psycopg2.connect(where)
        connection.autocommit = True
        cursor = connection.cursor()
        key = f"python:{number}"

        def cycle():
            cursor.execute("SELECT pg_advisory_lock(hashtextextended(%s, 0))", (key,))
            cursor.execute("SELECT pg_advisory_unlock(hashtextextended(%s, 0))", (key,))

        return cycle

    return [caller(number) for number in range(count)]


def kazoo_callers(where, count):
    """kazoo.recipe.lock.Lock, one session for all."""
    from kazoo.client import KazooClient

    client = KazooClient(hosts=where)
    client.start(timeout=30)

    def caller(number):
        lock = client.Lock(f"/python/{number}")

        def cycle():
            if not lock.acquire(timeout=30):
                raise RuntimeError("somebody has the key")
            lock.release()

        return cycle

    return [caller(number) for number in range(count)]


class Loop:
    def __init__(self, warm_up, duration):
        self.begin = time.monotonic() + warm_up
        self.end = self.begin + duration
        self.latencies, self.cycles, self.failures, self.first_failure = [], 0, 0, ""

    def go_round(self, cycle):
        began = time.monotonic()
        while began < self.end:
            try:
                cycle()
            except Exception as failure:
                self.failures += 1
                self.first_failure = self.first_failure or str(failure)
            ended = time.monotonic()
            self.cycles += 1
            if self.begin <= ended < self.end:
                self.latencies.append(ended - began)
            began = ended


def main():
    package, where, in_flight, warm_up, duration = sys.argv[1:]
    callers = {"psycopg2": psycopg2_callers, "kazoo": kazoo_callers}[package]
    cycles = callers(where, min(int(in_flight), MOST_CONNECTIONS))
    loop = Loop(int(warm_up) / 1000, int(duration) / 1000)
    threads = [threading.Thread(target=loop.go_round, args=(cycle,)) for cycle in cycles]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    latencies = sorted(loop.latencies)
    percentile = lambda part: latencies[int(part * (len(latencies) - 1))] * 1e6 if latencies else 0
    print(json.dumps({"cycles": len(latencies), "all_cycles": loop.cycles, "failures": loop.failures,
                      "first_failure": loop.first_failure[:200],
                      "cycles_per_second": len(latencies) / (int(duration) / 1000),
                      "p50_microseconds": percentile(0.5), "p99_microseconds": percentile(0.99)}))
    sys.stdout.flush()


main()
