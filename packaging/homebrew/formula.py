"""The formula for the Homebrew tap, of the archives that are there."""

from files import sha256
from names import NAME, RELEASE, ROOT, filled

SYSTEMS = {"darwin": "on_macos", "linux": "on_linux"}
PROCESSORS = {"arm64": "on_arm", "x64": "on_intel"}


def make(archives, out):
    downloads = ""
    for system, on_system in SYSTEMS.items():
        choices = ""
        for processor, on_processor in PROCESSORS.items():
            archive = archives.get(f"{system}-{processor}")
            if archive:
                choices += (
                    f"    {on_processor} do\n      url \"{RELEASE}/{archive.name}\"\n"
                    f"      sha256 \"{sha256(archive)}\"\n    end\n"
                )
        if choices:
            downloads += f"\n  {on_system} do\n{choices}  end\n"
    template = filled(ROOT / f"packaging/homebrew/{NAME}.rb")
    (out / f"{NAME}.rb").write_text(template.replace("{{DOWNLOADS}}\n", downloads + "\n"))
