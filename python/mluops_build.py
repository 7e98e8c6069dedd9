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
import re
import struct
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Where libmluops searches its runtime, relative to itself: when installed, and in a build folder.
RUNTIME = ("mluops/neuware/lib64", "../neuware/lib64")
MACHINES = {62: "x86_64", 183: "aarch64"}  # e_machine
GLIBC = re.compile(r"(libc|libm|libpthread|libdl|librt)\.so\.\d+|ld-linux.*")


def _version():
    text = (HERE.parent / "CMakeLists.txt").read_text()
    return re.search(r"project\(mluops VERSION ([0-9.]+)", text).group(1)


class Needs:
    """What a shared library (ELF, 64 bits, little-endian) is linked with: the names of libraries, and of their versions."""

    def __init__(self, data):
        offset, size, count = (*struct.unpack_from("<Q", data, 32), *struct.unpack_from("<HH", data, 54))
        segments = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
        dynamic = next(s for s in segments if s[0] == 2)  # PT_DYNAMIC
        entries = list(struct.iter_unpack("<qQ", data[dynamic[2]:dynamic[2] + dynamic[5] // 16 * 16]))

        def place(tag):
            """Where in the file the table of a tag begins, None for a library without it."""
            address = dict(entries).get(tag)
            return next((s[2] + address - s[3] for s in segments
                         if address is not None and s[0] == 1 and s[3] <= address < s[3] + s[5]), None)

        strings = place(5)  # DT_STRTAB

        def text(at):
            return data[strings + at:data.index(b"\0", strings + at)].decode()

        self.libraries = [text(at) for tag, at in entries if tag == 1]  # DT_NEEDED
        self.versions = []
        library = place(0x6ffffffe)  # DT_VERNEED
        while library is not None:
            _, count, _, first, following = struct.unpack_from("<HHIII", data, library)
            version = library + first
            for _ in range(count):
                name, step = struct.unpack_from("<8xII", data, version)
                self.versions.append(text(name))
                version += step
            library = library + following if following else None


def _libraries():
    """Pairs of name in the wheel and file: the library, the one for several devices, and what they are linked with of
    the runtime."""
    folder = pathlib.Path(os.environ.get("MLUOPS_LIBDIR", HERE.parent / "build" / "lib"))
    library = folder / "libmluops.so.1"
    if not library.exists():
        raise SystemExit(f"mluops_build: {library} is not there: build the library first, or set MLUOPS_LIBDIR")
    found = {"mluops/lib/libmluops.so.1": library}
    if (folder / "libmluops_comm.so.1").exists():  # absent if the root has no CNCL
        found["mluops/lib/libmluops_comm.so.1"] = folder / "libmluops_comm.so.1"
    place = next((place for place in RUNTIME if any((folder / place).glob("libcnrt.so.*"))), None)
    if place is None:
        raise SystemExit(f"mluops_build: no libcnrt beside {library}")
    wanted = list(found.values())
    while wanted:
        for name in Needs(wanted.pop().read_bytes()).libraries:
            inside, path = os.path.normpath(f"mluops/lib/{place}/{name}"), folder / place / name
            if path.exists() and inside not in found:
                found[inside] = path
                wanted.append(path)
    return found


def _tag(libraries):
    """manylinux and the least glibc where nothing else is needed beside the wheel."""
    machine = MACHINES[struct.unpack_from("<H", next(iter(libraries.values())).read_bytes(), 18)[0]]
    needs = [Needs(path.read_bytes()) for path in libraries.values()]
    inside = {os.path.basename(name) for name in libraries}
    others = sorted({name for one in needs for name in one.libraries if not GLIBC.fullmatch(name)} - inside)
    if others:
        print(f"mluops_build: the wheel needs {', '.join(others)} of the system, so it is no manylinux wheel", file=sys.stderr)
        return f"py3-none-linux_{machine}"
    versions = [re.fullmatch(r"GLIBC_(\d+)\.(\d+).*", version) for one in needs for version in one.versions]
    least = max(tuple(map(int, version.groups())) for version in versions if version)
    return "py3-none-manylinux_{}_{}_{}".format(*least, machine)


def _files():
    """Pairs of name in the wheel and file."""
    for path in sorted((HERE / "mluops").rglob("*")):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            yield path.relative_to(HERE).as_posix(), path
    yield from _libraries().items()


def _metadata(version):
    return (f"Metadata-Version: 2.1\nName: mluops\nVersion: {version}\n"
            "Summary: Mixture-of-experts and LLM inference operators on numpy arrays and torch tensors of the CPU\n"
            "License: MIT\nRequires-Python: >=3.9\nRequires-Dist: numpy\n"
            "Provides-Extra: torch\nRequires-Dist: torch>=2.4; extra == 'torch'\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    tag = _tag(_libraries())
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
