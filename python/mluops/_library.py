# SPDX-License-Identifier: MIT
"""Finds and loads the library, declares its functions, turns statuses into exceptions."""
import ctypes
import os
import pathlib


# Standard output belongs to the program. The library reads this setting at its first message.
os.environ.setdefault("MLUOP_LOG_STDERR", "ON")


class MluOpError(RuntimeError):
    """An operator refused a call or failed. The text names the argument, what was wanted and what was given."""


def _candidates():
    if os.environ.get("MLUOPS_LIBRARY"):
        yield os.environ["MLUOPS_LIBRARY"]
        return
    here = pathlib.Path(__file__).resolve().parent
    yield str(here / "lib" / "libmluops.so.1")  # a wheel
    for folder in here.parents:  # next to an installed or built library
        for name in ("lib/libmluops.so.1", "build/lib/libmluops.so.1"):
            if (folder / name).exists():
                yield str(folder / name)
    yield "libmluops.so.1"


def _load():
    reasons = []
    for name in _candidates():
        if os.sep in name and not os.path.exists(name):
            reasons.append(f"{name}: not there")
            continue
        try:
            return ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError("libmluops.so.1 was not found; set MLUOPS_LIBRARY to its path. Tried: " + "; ".join(reasons))


library = _load()

_comm = None


def function(name):
    """A public function. Those for several devices are in a second library, which is loaded at its first use."""
    global _comm
    try:
        return getattr(library, name)
    except AttributeError:
        if _comm is None:
            beside = pathlib.Path(library._name).with_name("libmluops_comm.so.1")
            _comm = ctypes.CDLL(str(beside) if os.sep in library._name else beside.name)
        return getattr(_comm, name)


# Handles are void pointers. Functions that are not declared below take pointers and return a status.
_handle = ctypes.c_void_p
library.mluOpGetErrorString.restype = ctypes.c_char_p
library.mluOpGetErrorString.argtypes = [ctypes.c_int]
library.mluOpGetLastErrorMessage.restype = ctypes.c_char_p
library.mluOpSetTensorDescriptorEx_v2.argtypes = [
    _handle, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_int64)]


def _reason(name):
    """The last error message of this thread. Each of the two libraries keeps its own."""
    last = library.mluOpGetLastErrorMessage
    if not hasattr(library, name):
        last = function("mluOpCommGetLastErrorMessage")
        last.restype = ctypes.c_char_p
    return last().decode(errors="replace")


def check(name, status):
    """Raises MluOpError unless the library's function `name` returned success."""
    if status != 0:
        raise MluOpError(f"{name}: {library.mluOpGetErrorString(status).decode()}: {_reason(name)}")


def runtime_check(name, code):
    """The same for a function of the runtime."""
    if code != 0:
        text = library.cnrtGetErrorStr
        text.restype = ctypes.c_char_p
        raise MluOpError(f"{name}: {text(code).decode()}")


def comm_check(name, code):
    """The same for a function of CNCL."""
    if code != 0:
        text = function("cnclGetErrorStr")
        text.restype = ctypes.c_char_p
        raise MluOpError(f"{name}: {text(code).decode()}")


def version():
    """The library's version.

    >>> len(version().split("."))
    3
    """
    numbers = [ctypes.c_int() for _ in range(3)]
    library.mluOpGetLibVersion(*(ctypes.byref(n) for n in numbers))
    return ".".join(str(n.value) for n in numbers)


if not hasattr(library, "cnrtxSettingCount"):
    raise ImportError("arrays are passed without a copy, which only the CPU's Neuware root can; this libmluops uses "
                      "another one")
