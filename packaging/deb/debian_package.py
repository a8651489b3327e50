"""The package for Debian and Ubuntu. It has no scripts and no configuration: what it puts down, removing takes away."""

import gzip
import os
import shutil

from files import TIME, File, level, read, text, write_tree
from names import AUTHOR, DESCRIPTION, LICENCE_FILES, NAME, REPOSITORY, ROOT, THIRD_PARTY, VERSION, filled
from output import run, say

# Where each shell looks for what a package brings.
COMPLETIONS = {
    "bash": "usr/share/bash-completion/completions/holdpoint",
    "fish": "usr/share/fish/vendor_completions.d/holdpoint.fish",
    "zsh": "usr/share/zsh/vendor-completions/_holdpoint",
}


def make(contents, out):
    architecture = contents.platform.debian
    package = f"{NAME}_{VERSION.replace('-', '~')}_{architecture}.deb"
    if not shutil.which("dpkg-deb"):
        say(f"dpkg-deb is not here: no {package}")
        return
    documents = f"usr/share/doc/{NAME}"
    files = [
        contents.executable(f"usr/bin/{NAME}"),
        text(f"{documents}/copyright", copyright_text()),
        packed(f"{documents}/{THIRD_PARTY}.gz", contents.third_party.encode()),
        packed(f"{documents}/changelog.gz", (ROOT / "CHANGELOG.md").read_bytes()),
        read(f"{documents}/README.md", ROOT / "README.md"),
        *(text(COMPLETIONS[shell], script) for shell, script in contents.completions.items() if shell in COMPLETIONS),
        *(packed(f"usr/share/man/man1/{name}.gz", page.encode()) for name, page in contents.manual.items()),
    ]
    size = sum(-(-len(file.data) // 1024) for file in files)
    # A static binary needs nothing; one that is not was made for this very system.
    needs = "" if contents.is_static else "Depends: libc6, libgcc-s1\n"
    control = (
        f"Package: {NAME}\nVersion: {VERSION.replace('-', '~')}\nArchitecture: {architecture}\nMaintainer: {AUTHOR}\n"
        f"Installed-Size: {size}\n{needs}Section: utils\nPriority: optional\nHomepage: {REPOSITORY}\n"
        f"Description: {DESCRIPTION[0].lower() + DESCRIPTION[1:]}\n"
        " An agent asks over MCP, a person decides, and the decision is on the record\n before anything happens.\n"
    )
    tree = out / "work" / "deb"
    write_tree(tree, [*files, text("DEBIAN/control", control)])
    for folder in [tree, *(path for path in tree.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(TIME)}
    # As every Debian and Ubuntu reads it.
    compression = ["-Zxz"] if level() > 1 else ["-Zgzip", "-z1"]
    run("dpkg-deb", "--build", "--root-owner-group", *compression, tree, out / package, stdout=2, env=environment)


def copyright_text():
    _, mit = LICENCE_FILES
    terms = (ROOT / mit).read_text()
    terms = terms[terms.index("Permission is hereby granted") :].strip()
    lines = "\n".join(f" {line or '.'}" for line in terms.splitlines())
    return filled(ROOT / "packaging/deb/copyright").replace("{{MIT}}", lines)


def packed(path, data):
    return File(path, gzip.compress(data, mtime=0))

