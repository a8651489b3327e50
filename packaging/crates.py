"""What the binary is built of: every crate that `cargo tree` names for a target, with its features as they are built."""

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from names import CRATE, ROOT
from output import Refused, printed_by


@dataclass
class Crate:
    """One crate, and the crates that it uses."""

    name: str
    version: str
    licence: str
    repository: str
    # A room of this workspace; else it comes from the registry.
    is_own: bool
    uses: set[tuple[str, str]] = field(default_factory=set)

    @property
    def key(self):
        return (self.name, self.version)

    @property
    def folder(self):
        """Where cargo unpacked it."""
        home = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
        found = sorted(home.glob(f"registry/src/*/{self.name}-{self.version}"))
        if not found:
            raise Refused(f"cargo did not unpack {self.name} {self.version}. Run `cargo fetch --locked`, and then this again.")
        return found[0]


@cache
def of_target(target):
    """Every crate by name and version; what only tests use is not in the binary."""
    printed = printed_by(
        "cargo", "tree", "--locked", "--package", CRATE, "--target", target, "--edges", "normal,build",
        "--prefix", "depth", "--format", "{p}|{l}|{r}",
        cwd=ROOT,
    )
    crates, above = {}, []
    for line in printed.splitlines():
        depth = len(line) - len(line.lstrip("0123456789"))
        level = int(line[:depth])
        named, licence, repository = line[depth:].removesuffix(" (*)").split("|")
        name, version, *rest = named.split(" ")
        is_own = any(str(ROOT) in part for part in rest)
        crate = crates.setdefault((name, version[1:]), Crate(name, version[1:], licence, repository, is_own))
        del above[level:]
        if above:
            above[-1].uses.add(crate.key)
        above.append(crate)
    return dict(sorted(crates.items()))
