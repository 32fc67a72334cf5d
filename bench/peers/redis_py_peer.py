"""The lock of redis-py, Debian's python3-redis, as a peer: on the first node alone, since it knows no others."""

import asyncio
import os
import sys
import time

import redis.asyncio as redis

TTL = 60


def percentiles(values):
    values.sort()
    return [round(values[int(part * (len(values) - 1))], 1) if values else 0 for part in (0.5, 0.9, 0.99)]


async def cycles(client, seconds, inflight):
    prefix = f"peer:{os.getpid()}:"
    begin = time.monotonic_ns()
    end = begin + int(float(seconds) * 1e9)
    locked, cycle = [], []

    async def loop(key):
        while time.monotonic_ns() < end:
            asked = time.monotonic_ns()
            lock = client.lock(key, timeout=TTL)
            await lock.acquire()
            granted = time.monotonic_ns()
            await lock.release()
            locked.append((granted - asked) / 1000)
            cycle.append((time.monotonic_ns() - asked) / 1000)

    await asyncio.gather(*(loop(prefix + str(i)) for i in range(int(inflight))))
    taken = (time.monotonic_ns() - begin) / 1e9
    print(f'{{"cycles":{len(cycle)},"seconds":{taken:.3f},"lock_us":{percentiles(locked)},'
          f'"cycle_us":{percentiles(cycle)},"errors":0}}')


async def contend(client, hold, key):
    await client.ping()
    print("ready", flush=True)
    begin, end = map(int, sys.stdin.readline().split())
    await asyncio.sleep(max(0, (begin - time.monotonic_ns()) / 1e9))
    delay = float(os.environ.get("RETRY_DELAY", "100")) / 1000
    while time.monotonic_ns() < end:
        asked = time.monotonic_ns()
        lock = client.lock(key, timeout=TTL, sleep=delay)
        await lock.acquire()
        granted = time.monotonic_ns()
        await asyncio.sleep(int(hold) / 1e6)
        print(asked, granted, time.monotonic_ns())
        await lock.release()


async def hold(client, count):
    print("ready", flush=True)
    sys.stdin.readline()
    held = [client.lock(f"peer:held:{i}", timeout=TTL) for i in range(int(count))]
    for lock in held:
        await lock.acquire()
    print("held", flush=True)
    sys.stdin.readline()


async def main():
    name, *rest = sys.argv[1:]
    scenario, count = {"cycles": (cycles, 2), "contend": (contend, 2), "hold": (hold, 1)}[name]
    client = redis.Redis.from_url(rest[count])
    await scenario(client, *rest[:count])


asyncio.run(main())
