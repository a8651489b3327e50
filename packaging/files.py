"""Writing trees and archives: the same input makes the same bytes."""

import gzip
import hashlib
import io
import json
import os
import shutil
import tarfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

# The time of everything in an archive; releases set SOURCE_DATE_EPOCH to the commit's. Zip knows no year before 1980.
TIME = int(os.environ.get("SOURCE_DATE_EPOCH", "315619200"))


@dataclass(frozen=True)
class File:
    """One file of a package."""

    path: str
    data: bytes
    executable: bool = False

    @property
    def mode(self):
        return 0o755 if self.executable else 0o644


def read(path, source, executable=False):
    return File(path, Path(source).read_bytes(), executable)


def text(path, content, executable=False):
    return File(path, content.encode(), executable)


def as_json(path, value):
    return text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_tree(folder, files):
    """A folder with these files and no others."""
    shutil.rmtree(folder, ignore_errors=True)
    for file in files:
        path = folder / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        path.chmod(file.mode)


def write_tar_gz(path, files):
    with path.open("wb") as raw, gzip.GzipFile("", "wb", level(), raw, TIME) as packed:
        with tarfile.open(mode="w", fileobj=packed, format=tarfile.PAX_FORMAT) as archive:
            for file in files:
                entry = tarfile.TarInfo(file.path)
                entry.size, entry.mode, entry.mtime = len(file.data), file.mode, TIME
                archive.addfile(entry, io.BytesIO(file.data))


def write_zip(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=level()) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.path, time.gmtime(TIME)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Unix, a regular file.
            entry.create_system, entry.external_attr = 3, (0o100000 | file.mode) << 16
            archive.writestr(entry, file.data)


def level():
    """How hard to compress; tests, which pack a binary many times the size, set 1."""
    return int(os.environ.get("PACKAGE_COMPRESSION", "9"))


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()
