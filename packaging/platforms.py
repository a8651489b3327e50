"""The platforms that packages are made for, and what each kind of package calls them."""

from dataclasses import dataclass

from output import Refused


@dataclass(frozen=True)
class Platform:
    """One operating system on one processor."""

    # What Rust calls it; the first is the one that is released.
    targets: tuple[str, ...]
    # What Node calls its system and its processor.
    os: str
    cpu: str
    # The tags of a wheel, and what a wheel is tagged whose binary needs the libraries of this very system.
    wheel: str
    own_wheel: str
    # What Debian and container images call the processor.
    debian: str | None = None
    # What a container image calls it.
    image: str | None = None

    @property
    def name(self):
        return f"{self.os}-{self.cpu}"

    @property
    def binary(self):
        return "holdpoint.exe" if self.os == "win32" else "holdpoint"


PLATFORMS = [
    Platform(
        targets=("x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"),
        os="linux",
        cpu="x64",
        wheel="manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        own_wheel="linux_x86_64",
        debian="amd64",
        image="linux-amd64",
    ),
    Platform(
        targets=("aarch64-unknown-linux-musl", "aarch64-unknown-linux-gnu"),
        os="linux",
        cpu="arm64",
        wheel="manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        own_wheel="linux_aarch64",
        debian="arm64",
        image="linux-arm64",
    ),
    Platform(targets=("x86_64-apple-darwin",), os="darwin", cpu="x64", wheel="macosx_10_12_x86_64", own_wheel="macosx_10_12_x86_64"),
    Platform(targets=("aarch64-apple-darwin",), os="darwin", cpu="arm64", wheel="macosx_11_0_arm64", own_wheel="macosx_11_0_arm64"),
    Platform(targets=("x86_64-pc-windows-msvc",), os="win32", cpu="x64", wheel="win_amd64", own_wheel="win_amd64"),
]


@dataclass(frozen=True)
class Built:
    """A platform, and the target that a binary of it was built for."""

    platform: Platform
    target: str


def of_target(target):
    for platform in PLATFORMS:
        if target in platform.targets:
            return Built(platform, target)
    known = ", ".join(target for platform in PLATFORMS for target in platform.targets)
    raise Refused(f"there are no packages for {target}. Known: {known}.")
