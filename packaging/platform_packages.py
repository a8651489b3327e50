"""What is made for one platform: the archive, and the packages with the binary in them."""

import subprocess

from deb import debian_package
from licences import third_party
from mcpb import bundle
from npm import npm_packages
from oci import image
from python import wheel
from build import is_static
from files import as_json, read, text, write_tar_gz, write_zip
from names import LICENCE_FILES, NAME, ROOT, THIRD_PARTY
from output import say
import sbom

SHELLS = {"bash": "holdpoint.bash", "fish": "holdpoint.fish", "zsh": "_holdpoint", "powershell": "holdpoint.ps1"}


class Contents:
    """What the packages of one platform are made of."""

    def __init__(self, built, binary, out):
        self.built = built
        self.platform = built.platform
        self.binary = binary
        self.is_static = is_static(binary)
        self.third_party = third_party.text_for(built.target)
        self.completions = {shell: printed(binary, "completions", shell) for shell in SHELLS}
        self.completions = {shell: script for shell, script in self.completions.items() if script}
        self.manual = manual(binary, out / "work" / "man")
        if not self.completions:
            say("no completions: this binary has no `completions`, or is for another system")
        if not self.manual:
            say("no manual pages: this binary has no `man`, or is for another system")

    def executable(self, path):
        return read(path, self.binary, executable=True)

    def licences(self, folder=""):
        own = [read(folder + name, ROOT / name) for name in LICENCE_FILES]
        return [*own, text(folder + THIRD_PARTY, self.third_party)]


def make(built, binary, out):
    contents = Contents(built, binary, out)
    if built.platform.os == "linux" and not contents.is_static:
        say(f"{built.target}: this binary is not static, and runs only where its libraries are")
    archive(contents, out)
    npm_packages.for_platform(contents, out)
    wheel.make(contents, out)
    bundle.make(contents, out)
    if built.platform.debian:
        debian_package.make(contents, out)
    if built.platform.image:
        image.make(contents, out)
    (out / f"{NAME}-{built.target}.cdx.json").write_bytes(as_json("", sbom.for_target(built.target)).data)


def archive_name(target):
    """As cargo-dist names them: installers, formula and `cargo binstall` look for these."""
    return f"{NAME}-{target}.{'zip' if 'windows' in target else 'tar.gz'}"


def archive(contents, out):
    target = contents.built.target
    # A folder in a tar and none in a zip, as cargo-dist does.
    folder = "" if "windows" in target else f"{NAME}-{target}/"
    files = [
        contents.executable(folder + contents.platform.binary),
        *contents.licences(folder),
        read(folder + "README.md", ROOT / "README.md"),
        read(folder + "CHANGELOG.md", ROOT / "CHANGELOG.md"),
        *(text(f"{folder}completions/{SHELLS[shell]}", script) for shell, script in contents.completions.items()),
        *(text(f"{folder}man/{name}", page) for name, page in contents.manual.items()),
    ]
    write = write_zip if "windows" in target else write_tar_gz
    write(out / archive_name(target), files)


def printed(binary, *arguments):
    """What the binary prints, or nothing where it cannot run here or knows no such command."""
    try:
        done = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def manual(binary, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    printed(binary, "man", "--dir", str(folder))
    return {page.name: page.read_text() for page in sorted(folder.iterdir())}
