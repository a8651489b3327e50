"""What is about all platforms: made from the packages that lie in the folder."""

from homebrew import formula
from installers import installers
from npm import npm_packages
from registry import server_json
from files import sha256
from names import NAME
from output import say
from platforms import PLATFORMS
from platform_packages import archive_name

CHECKSUMS = "sha256sum.txt"


def make(out):
    archives = {
        platform.name: out / archive_name(target)
        for platform in PLATFORMS
        # The first that is there: the released one.
        for target in reversed(platform.targets)
        if (out / archive_name(target)).is_file()
    }
    say(f"archives of {', '.join(archives) or 'no platform'}")
    npm_packages.main_package(out)
    formula.make(archives, out)
    installers.make(archives, out)
    server_json.make(out)
    checksums(out)


def checksums(out):
    """Of every file that a release has, in the form that `sha256sum --check` reads."""
    files = sorted(path for path in out.iterdir() if path.is_file() and path.name != CHECKSUMS and not path.name.endswith(".sha256"))
    lines = []
    for path in files:
        lines.append(f"{sha256(path)} *{path.name}\n")
        # Beside each archive too, as cargo-dist does.
        if path.name.startswith(f"{NAME}-") and path.name.endswith((".tar.gz", ".zip")):
            path.with_name(path.name + ".sha256").write_text(lines[-1])
    (out / CHECKSUMS).write_text("".join(lines))
