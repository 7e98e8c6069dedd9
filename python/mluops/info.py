# SPDX-License-Identifier: MIT
"""python -m mluops.info: versions, Neuware root, device and topology, and environment settings."""
import ctypes
import importlib
import os
import platform

from ._library import library, runtime_check, version

_CLUSTERS, _CORES, _NRAM, _WRAM, _SRAM, _MEMORY_MB = 0x205, 0x206, 0x302, 0x303, 0x306, 0x405  # cnrtDeviceAttr_t


class _Setting(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("default_value", ctypes.c_char_p), ("meaning", ctypes.c_char_p)]


def _package(name):
    try:
        return importlib.import_module(name).__version__
    except ImportError:
        return "not installed"


def _runtime_version():
    numbers = [ctypes.c_int() for _ in range(3)]
    runtime_check("cnrtGetLibVersion", library.cnrtGetLibVersion(*(ctypes.byref(n) for n in numbers)))
    return ".".join(str(n.value) for n in numbers)


def _attribute(number, device=0):
    value = ctypes.c_int()
    runtime_check("cnrtDeviceGetAttribute", library.cnrtDeviceGetAttribute(ctypes.byref(value), number, device))
    return value.value


def _device_name():
    properties = ctypes.create_string_buffer(16384)  # larger than a cnrtDeviceProp_t, which starts with the name
    runtime_check("cnrtGetDeviceProperties", library.cnrtGetDeviceProperties(properties, 0))
    return properties.value.decode()


def _settings():
    """The runtime's settings that the environment can change."""
    library.cnrtxGetSetting.restype = ctypes.POINTER(_Setting)
    library.cnrtxSettingCount.restype = ctypes.c_size_t
    names = (library.cnrtxGetSetting(ctypes.c_size_t(i)).contents.name.decode()
             for i in range(library.cnrtxSettingCount()))
    return {name: os.environ[name] for name in names if os.environ.get(name)}


def facts():
    """What `python -m mluops.info` prints, as a dictionary.

    >>> facts()["root"]
    'cpu'
    """
    count = ctypes.c_uint()
    runtime_check("cnrtGetDeviceCount", library.cnrtGetDeviceCount(ctypes.byref(count)))
    settings = _settings()
    return {
        "mluops": f"{version()} from {library._name}",
        "runtime": f"CNRT {_runtime_version()}",
        "root": "card" if hasattr(library, "cnrtxEstimate") else "cpu",
        "devices": f"{count.value} of {_device_name()}",
        "topology": f"{_attribute(_CLUSTERS)} clusters of {_attribute(_CORES)} cores",
        "on chip": f"NRAM {_attribute(_NRAM) // 1024} KB and WRAM {_attribute(_WRAM) // 1024} KB per core, "
                   f"SRAM {_attribute(_SRAM) // 1024} KB per cluster",
        "memory": f"{_attribute(_MEMORY_MB)} MB per device",
        "machine": f"{platform.machine()}, {len(os.sched_getaffinity(0))} CPUs of the process, {platform.platform()}",
        "Python": platform.python_version(),
        "numpy": _package("numpy"),
        "torch": _package("torch"),
        "settings": ", ".join(f"{name}={value}" for name, value in settings.items()) or "none",
    }


def main():
    for name, value in facts().items():
        print(f"{name:10} {value}")


if __name__ == "__main__":
    main()
