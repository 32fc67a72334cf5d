"""Takes locks through redlock.h from Python, with nothing but ctypes: what another language needs is there.

    binding.py <shared library>
"""
import ctypes
import sys
import threading
import unittest

LIBRARY = ctypes.CDLL(sys.argv.pop(1))
HELD, CLOSED, CANCELLED = 1, 5, 1000
LOST = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        *((name, ctypes.c_int64) for name in ("ttl", "wait", "max_hold", "stop_margin", "lock_delay", "keep")),
        *((name, ctypes.c_int32) for name in ("renew", "fencing", "mode")),
        ("permits", ctypes.c_uint32),
        ("stop", ctypes.c_void_p),
        ("lost", LOST),
        ("lost_context", ctypes.c_void_p),
    ]


def declare(name, result, *arguments):
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, arguments
    return function


handle, to_handle, status = ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_int
last_error = declare("redlock_last_error", ctypes.c_char_p)
settings_create = declare("redlock_settings_create", handle)
settings_destroy = declare("redlock_settings_destroy", None, handle)
add_node = declare("redlock_settings_add_node", status, handle, ctypes.c_char_p)
open_client = declare("redlock_open", status, handle, to_handle)
close = declare("redlock_close", None, handle)
stop_create = declare("redlock_stop_create", handle)
stop_request = declare("redlock_stop_request", None, handle)
stop_destroy = declare("redlock_stop_destroy", None, handle)
options_init = declare("redlock_lock_options_init", status, ctypes.POINTER(Options), ctypes.c_size_t)
lock = declare("redlock_lock", status, handle, ctypes.c_char_p, ctypes.POINTER(Options), to_handle)
valid = declare("redlock_valid", ctypes.c_int, handle)
remaining = declare("redlock_remaining", ctypes.c_int64, handle)
fencing_token = declare("redlock_fencing_token", ctypes.c_uint64, handle)
extend = declare("redlock_extend", status, handle, ctypes.c_int64)
unlock = declare("redlock_unlock", status, handle)


class Binding(unittest.TestCase):
    def setUp(self):
        self.client = handle()
        settings = settings_create()
        self.assertEqual(add_node(settings, f"memory://binding-{id(self)}".encode()), 0)
        self.assertEqual(open_client(settings, ctypes.byref(self.client)), 0)
        settings_destroy(settings)

    def tearDown(self):
        close(self.client)

    def options(self, **changes):
        made = Options()
        self.assertEqual(options_init(made, ctypes.sizeof(made)), 0)
        for name, value in changes.items():
            setattr(made, name, value)
        return made

    def lock(self, options=None):
        lease = handle()
        return lock(self.client, b"key", options, ctypes.byref(lease)), lease

    def test_a_key_is_held_until_it_is_unlocked(self):
        result, lease = self.lock(self.options(fencing=1, ttl=5000))
        self.assertEqual(result, 0)
        self.assertTrue(valid(lease))
        self.assertTrue(0 < remaining(lease) <= 5000)
        self.assertGreater(fencing_token(lease), 0)
        self.assertEqual(self.lock(self.options(wait=0))[0], HELD)
        self.assertIn(b"key", last_error())
        self.assertEqual(extend(lease, 60000), 0)
        self.assertGreater(remaining(lease), 5000)
        self.assertEqual(unlock(lease), 0)
        self.assertEqual(unlock(self.lock()[1]), 0)

    def test_a_loss_calls_back_from_the_thread_of_the_client(self):
        told = []
        lost = LOST(lambda context: told.append((context, threading.get_ident())))
        result, lease = self.lock(self.options(lost=lost, lost_context=7))
        self.assertEqual(result, 0)
        close(self.client)
        self.client = handle()
        self.assertEqual([context for context, _ in told], [7])
        self.assertNotEqual(told[0][1], threading.get_ident())
        self.assertFalse(valid(lease))
        self.assertEqual(unlock(lease), CLOSED)

    def test_a_stop_ends_a_wait(self):
        _, lease = self.lock()
        stop = stop_create()
        results = []
        waiting = threading.Thread(target=lambda: results.append(self.lock(self.options(stop=stop))[0]))
        waiting.start()
        stop_request(stop)
        waiting.join()
        stop_destroy(stop)
        self.assertEqual(results, [CANCELLED])
        self.assertEqual(unlock(lease), 0)


if __name__ == "__main__":
    unittest.main()
