# SPDX-License-Identifier: MIT
"""A device, a queue and a handle."""
import contextlib
import ctypes
import os
import sys
import threading

from ._library import MluOpError, check, library, runtime_check


def _can_give_back(process, is_finalizing=sys.is_finalizing, getpid=os.getpid):
    """False at interpreter exit, when the system frees everything, and in a child of fork(), where it is the parent's."""
    return not is_finalizing() and getpid() == process


class _Memory:
    """Memory of the device."""

    def __init__(self, size):
        self.address, self.size, self._process = ctypes.c_void_p(), size, os.getpid()
        runtime_check("cnrtMalloc", library.cnrtMalloc(ctypes.byref(self.address), ctypes.c_size_t(size)))

    def __del__(self, can_give_back=_can_give_back):  # a default: at interpreter exit the module's names are gone
        if self.address and can_give_back(self._process):
            library.cnrtFree(self.address)


_parent_used = False  # in a child of fork(): whether the parent had used the devices before fork()
_used = False


def _begin_use():
    global _used
    if _parent_used:
        raise MluOpError("fork: wanted a process whose parent had not called mluops before fork(), got a child of one that "
                         "had, which has none of its threads: use multiprocessing's 'spawn', or fork before the first call")
    _used = True


_of_thread = threading.local()


def _after_fork_in_child():
    global _parent_used, _of_thread
    _parent_used = _used
    _of_thread = threading.local()  # drops the parent's contexts


os.register_at_fork(after_in_child=_after_fork_in_child)


class Context:
    """A device, a queue on it and the library's handle, for calls.

    Without a context, functions use one of the calling thread and wait for the result. With a context they only queue the
    call; the result is complete after `sync`.

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
        _begin_use()
        self._kept = []
        self._workspace = None
        self.calls = None  # list of the C calls while they are recorded
        self._process = os.getpid()
        runtime_check("cnrtSetDevice", library.cnrtSetDevice(device))
        runtime_check("cnrtQueueCreate", library.cnrtQueueCreate(ctypes.byref(self.queue)))
        check("mluOpCreate", library.mluOpCreate(ctypes.byref(self.handle)))
        check("mluOpSetQueue", library.mluOpSetQueue(self.handle, self.queue))

    def keep(self, objects):
        """Keeps references to what a queued call uses until the next `sync`."""
        self._kept.append(objects)

    def workspace(self, size):
        """Device memory for one call. The calls of a queue run one after the other, so they share it. It cannot be host
        memory, because ranks write into each other's workspace."""
        if self._workspace is None or self._workspace.size < size:
            self.keep(self._workspace)
            runtime_check("cnrtSetDevice", library.cnrtSetDevice(self.device))
            self._workspace = _Memory(max(size, 1))
        return self._workspace.address

    @contextlib.contextmanager
    def recorded(self):
        """Yields a list to which every C call adds its name, its C values and its arguments."""
        self.calls = []
        try:
            yield self.calls
        finally:
            self.calls = None

    def sync(self):
        """Waits for all queued calls."""
        code = library.cnrtQueueSync(self.queue)
        self._kept.clear()
        if code != 0:
            runtime_check("cnrtQueueSync", code)

    def close(self):
        """Waits for all queued calls, then frees everything."""
        handle, queue = self.handle, self.queue
        try:
            if queue:
                self.sync()
        finally:
            self._workspace = None
            self.handle, self.queue = ctypes.c_void_p(), ctypes.c_void_p()
            if handle:
                check("mluOpDestroy", library.mluOpDestroy(handle))
            if queue:
                runtime_check("cnrtQueueDestroy", library.cnrtQueueDestroy(queue))

    def __del__(self, can_give_back=_can_give_back):
        # Nothing else closes the context of a thread.
        if not can_give_back(self._process):
            return
        try:
            self.close()
        except MluOpError:
            pass  # an exception in __del__ cannot be caught

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def default_context():
    """The context of the calling thread."""
    try:
        return _of_thread.context
    except AttributeError:
        _of_thread.context = Context()
        return _of_thread.context
