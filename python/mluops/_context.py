# SPDX-License-Identifier: MIT
"""A device, a queue and a handle."""
import ctypes
import os
import sys
import threading

from ._library import MluOpError, check, library, runtime_check


class Context:
    """What calls are made with: a device, a queue on it and the library's handle.

    Without one, functions use a context of the calling thread and wait for the result. With one they only queue the
    call; the result is there after `sync`.

    >>> import numpy, mluops
    >>> with mluops.Context(device=1) as context:
    ...     kept = mluops.apply_top_k_top_p(numpy.float32([[1, 3, 2]]), numpy.int32([1]), numpy.float32([1]),
    ...                                     context=context)
    ...     context.sync()
    >>> kept
    array([[-inf,   3., -inf]], dtype=float32)
    """

    def __init__(self, device=0):
        self.queue, self.handle = ctypes.c_void_p(), ctypes.c_void_p()
        self.device = device
        self._kept = []
        self._process = os.getpid()
        runtime_check("cnrtSetDevice", library.cnrtSetDevice(device))
        runtime_check("cnrtQueueCreate", library.cnrtQueueCreate(ctypes.byref(self.queue)))
        check("mluOpCreate", library.mluOpCreate(ctypes.byref(self.handle)))
        check("mluOpSetQueue", library.mluOpSetQueue(self.handle, self.queue))

    def keep(self, objects):
        """Holds what a queued call uses until the next `sync`."""
        self._kept.append(objects)

    def sync(self):
        """Waits for all queued calls."""
        try:
            runtime_check("cnrtQueueSync", library.cnrtQueueSync(self.queue))
        finally:
            self._kept.clear()

    def close(self):
        """Waits and gives everything back."""
        handle, queue = self.handle, self.queue
        try:
            if queue:
                self.sync()
        finally:
            self.handle, self.queue = ctypes.c_void_p(), ctypes.c_void_p()
            if handle:
                check("mluOpDestroy", library.mluOpDestroy(handle))
            if queue:
                runtime_check("cnrtQueueDestroy", library.cnrtQueueDestroy(queue))

    def __del__(self):
        # Contexts of threads have no other end. At the end of the interpreter the system takes everything back; in a
        # child of fork() they are the parent's.
        if sys is None or sys.is_finalizing() or os.getpid() != self._process:
            return
        try:
            self.close()
        except MluOpError:
            pass  # nobody could catch it

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


_of_thread = threading.local()


def default_context():
    """The context of the calling thread."""
    if not hasattr(_of_thread, "context"):
        _of_thread.context = Context()
    return _of_thread.context
