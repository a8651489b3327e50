"""The release binary: static on Linux, with no path of the machine that built it."""

import os
import shutil
import subprocess
from pathlib import Path

from names import CRATE, NAME, ROOT
from output import Refused, printed_by, run, say


# Of Cargo.toml.
PROFILE = "dist"


def host_target():
    for line in printed_by("rustc", "-vV").splitlines():
        if line.startswith("host: "):
            return line.removeprefix("host: ")
    raise Refused("rustc does not say which target it runs on.")


def default_target(binary):
    """This machine's own; on Linux with musl where it can be built, because that has no library with terms of its own."""
    host = host_target()
    musl = host.replace("-linux-gnu", "-linux-musl")
    if binary is None and musl != host and has_target(musl) and musl_compiler(musl):
        return musl
    return host


def has_target(target):
    return Path(printed_by("rustc", "--print", "sysroot").strip(), "lib/rustlib", target, "lib").is_dir()


def musl_compiler(target):
    """The C compiler for what is not Rust: SQLite, QuickJS, tree-sitter."""
    named = os.environ.get(f"CC_{target.replace('-', '_')}")
    return named or shutil.which(f"{target.split('-')[0]}-linux-musl-gcc") or shutil.which("musl-gcc")


def release_binary(built):
    target = built.target
    if not has_target(target):
        raise Refused(f"the Rust target {target} is not installed. Run `rustup target add {target}`, or name another with --target.")
    environment = dict(os.environ)
    flags = [f"--remap-path-prefix={ROOT}=/holdpoint"]
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    flags.append(f"--remap-path-prefix={home}=/cargo")
    if target.endswith("-musl"):
        compiler = musl_compiler(target)
        if not compiler:
            raise Refused(f"there is no C compiler for {target}. Install musl-tools, or set CC_{target.replace('-', '_')}.")
        environment[f"CC_{target.replace('-', '_')}"] = compiler
        how = "static, with musl"
    elif target.endswith("-linux-gnu"):
        # musl's own start-up knows no relocations that are packed so.
        flags += ["-Ctarget-feature=+crt-static", "-Clink-arg=-Wl,-z,pack-relative-relocs"]
        how = "static, with glibc, which is under the LGPL: for your own use, not for a release"
    else:
        if target.endswith("-windows-msvc"):
            flags.append("-Ctarget-feature=+crt-static")
        how = "with the system's own libraries"
    if "linux" in target:
        flags += smaller(target)
        # No panic goes through C, and profilers follow frame pointers.
        environment[f"CFLAGS_{target.replace('-', '_')}"] = "-fno-asynchronous-unwind-tables"
    say(f"building {NAME} for {target}, {how}")
    environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(flags)
    run(
        "cargo", "build", "--profile", PROFILE, "--locked", "--package", CRATE, "--bin", NAME, "--target", target,
        cwd=ROOT, env=environment,
    )
    binary = target_folder() / target / PROFILE / built.platform.binary
    if "linux" in target and not is_static(binary):
        raise Refused(f"{binary} is not static; see `readelf -l` for the interpreter that it names.")
    return binary


def smaller(target):
    """What makes a binary smaller beside its profile: equal functions once, where lld links, and shorter tables for unwinding."""
    flags = ["-Cforce-frame-pointers=yes"]
    fold = "-Clink-arg=-Wl,--icf=all"
    if target == "x86_64-unknown-linux-gnu":
        # rustc brings its own lld for this target.
        return [*flags, fold]
    if shutil.which("ld.lld"):
        return [*flags, "-Clink-arg=-fuse-ld=lld", fold]
    say("ld.lld is not here: the binary gets larger than it need be")
    return flags


def target_folder():
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def is_static(binary):
    """Whether an ELF binary names no interpreter, so that it runs without any library of the system."""
    data = binary.read_bytes()
    if data[:4] != b"\x7fELF" or data[4] != 2:
        return False
    offset = int.from_bytes(data[32:40], "little")
    size, count = int.from_bytes(data[54:56], "little"), int.from_bytes(data[56:58], "little")
    interpreter = 3
    kinds = (int.from_bytes(data[at : at + 4], "little") for at in range(offset, offset + size * count, size))
    return interpreter not in kinds


def stripped(binary, folder):
    """A copy without symbols; where `strip` is for another system, as it is. macOS signs its binaries: there cargo strips."""
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / binary.name
    copy.unlink(missing_ok=True)
    if not binary.is_file():
        raise Refused(f"there is no binary at {binary}.")
    is_elf = binary.open("rb").read(4) == b"\x7fELF"
    done = is_elf and shutil.which("strip") and subprocess.run(["strip", "-o", copy, binary], capture_output=True).returncode == 0
    if not done:
        shutil.copyfile(binary, copy)
    copy.chmod(0o755)
    return copy
