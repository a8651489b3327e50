"""The scripts that install the archive of a platform: for shells and for PowerShell, named as cargo-dist names them."""

from files import sha256
from names import NAME, ROOT, filled
from output import say

FOLDER = ROOT / "packaging/installers"
WINDOWS = "win32-x64"


def make(archives, out):
    unix = {platform: archive for platform, archive in archives.items() if platform != WINDOWS}
    if unix:
        choices = "\n".join(
            f"        {platform}) archive={archive.name} expected={sha256(archive)} ;;" for platform, archive in unix.items()
        )
        script = filled(FOLDER / "installer.sh").replace("{{ARCHIVES}}", choices)
        write(out / f"{NAME}-installer.sh", script, 0o755)
    if WINDOWS in archives:
        archive = archives[WINDOWS]
        script = filled(FOLDER / "installer.ps1").replace("{{ARCHIVE}}", archive.name).replace("{{SHA256}}", sha256(archive))
        # A mark at the start tells old PowerShells that this is UTF-8.
        write(out / f"{NAME}-installer.ps1", "\ufeff" + script, 0o644)
    else:
        say("no archive for Windows: no installer for PowerShell")


def write(path, script, mode):
    path.write_text(script)
    path.chmod(mode)
