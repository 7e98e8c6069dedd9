# SPDX-License-Identifier: MIT
"""Makes the wheel: the package, the library and its runtime. Needs nothing but Python.

As a program:  python3 mluops_build.py FOLDER
By pip:        pip wheel --no-index --no-deps -w FOLDER python/

MLUOPS_LIBDIR names the folder of libmluops.so.1: <build>/lib or <prefix>/lib; without it, ../build/lib is taken.
"""
import base64
import hashlib
import os
import pathlib
import platform
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Where libmluops looks for its runtime, relative to itself: installed, and in a build folder.
RUNTIME = ("mluops/neuware/lib64", "../neuware/lib64")


def _version():
    text = (HERE.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(mluops VERSION ([0-9.]+)", text).group(1)


def _files():
    """Pairs of name in the wheel and file."""
    for path in sorted((HERE / "mluops").rglob("*.py")):
        yield path.relative_to(HERE).as_posix(), path
    folder = pathlib.Path(os.environ.get("MLUOPS_LIBDIR", HERE.parent / "build" / "lib"))
    library = folder / "libmluops.so.1"
    if not library.exists():
        raise SystemExit(f"mluops_build: {library} is not there: build the library first, or set MLUOPS_LIBDIR")
    yield "mluops/lib/libmluops.so.1", library
    if (folder / "libmluops_comm.so.1").exists():  # a build against a root without CNCL has none
        yield "mluops/lib/libmluops_comm.so.1", folder / "libmluops_comm.so.1"
    for place in RUNTIME:
        libraries = sorted(path for path in (folder / place).glob("lib*.so.*") if re.fullmatch(r".*\.so\.\d+", path.name))
        for path in libraries:
            yield os.path.normpath(f"mluops/lib/{place}/{path.name}"), path
        if libraries:
            return
    raise SystemExit(f"mluops_build: no libcnrt beside {library}")


def _metadata(version):
    return (f"Metadata-Version: 2.1\nName: mluops\nVersion: {version}\n"
            "Summary: Mixture-of-experts and LLM inference operators on numpy arrays and torch tensors of the CPU\n"
            "License: MIT\nRequires-Python: >=3.8\nRequires-Dist: numpy\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    tag = f"py3-none-linux_{platform.machine()}"
    info = f"mluops-{version}.dist-info"
    contents = [(name, path.read_bytes()) for name, path in _files()]
    contents.append((f"{info}/METADATA", _metadata(version).encode()))
    contents.append((f"{info}/LICENSE", (HERE.parent / "LICENSE").read_bytes()))
    contents.append((f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: mluops\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()))
    record = ""
    name = f"mluops-{version}-{tag}.whl"
    pathlib.Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in contents:
            wheel.writestr(path, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record += f"{path},sha256={digest},{len(data)}\n"
        wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(pathlib.Path(sys.argv[1]) / build_wheel(sys.argv[1]))
