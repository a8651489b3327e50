"""The wheel for PyPI, with the binary that is built already: as maturin's `bindings = "bin"` writes it, which would build a
second one. A wheel is a zip with the program in `DATA/scripts`, and `RECORD`, which has the digest of every file.
"""

import base64
import hashlib
import tomllib

from files import text, write_zip
from names import AUTHOR, DESCRIPTION, KEYWORDS, LICENCE, NAME, REPOSITORY, ROOT, VERSION

FOLDER = ROOT / "packaging/python"


def make(contents, out):
    platform = contents.platform
    tag = platform.wheel if contents.is_static or platform.os != "linux" else platform.own_wheel
    info = f"{NAME}-{VERSION}.dist-info"
    files = [
        contents.executable(f"{NAME}-{VERSION}.data/scripts/{platform.binary}"),
        *contents.licences(f"{info}/licenses/"),
        text(f"{info}/METADATA", metadata([file.path.split("/")[-1] for file in contents.licences()])),
        text(f"{info}/WHEEL", wheel(tag)),
    ]
    files.append(text(f"{info}/RECORD", record(files, f"{info}/RECORD")))
    for old in out.glob(f"{NAME}-*-{platform.own_wheel}.whl"):
        old.unlink()
    write_zip(out / f"{NAME}-{VERSION}-py3-none-{tag}.whl", files)


def metadata(licence_files):
    project = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {VERSION}",
        f"Summary: {DESCRIPTION}",
        f"Author: {AUTHOR}",
        f"License-Expression: {LICENCE}",
        *(f"License-File: {name}" for name in licence_files),
        f"Keywords: {','.join(KEYWORDS)}",
        f"Project-URL: Source, {REPOSITORY}",
        f"Requires-Python: {project['requires-python']}",
        *(f"Classifier: {classifier}" for classifier in project["classifiers"]),
        "Description-Content-Type: text/markdown",
        "",
        (FOLDER / "README.md").read_text(),
    ]
    return "\n".join(lines)


def wheel(tag):
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in tag.split("."))
    return f"Wheel-Version: 1.0\nGenerator: {NAME} {VERSION}\nRoot-Is-Purelib: false\n{tags}"


def record(files, own_path):
    lines = []
    for file in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.data).digest()).rstrip(b"=").decode()
        lines.append(f"{file.path},sha256={digest},{len(file.data)}\n")
    return "".join(lines) + f"{own_path},,\n"
