"""The licences of all that is in the binary: every crate's own texts, and those of what crates bring along."""

import zlib
from collections import defaultdict

import crates
from names import LICENCE_FILES, ROOT, TITLE
from output import Refused

NAMES = ("license", "licence", "copying", "notice", "unlicense", "copyright")
# What grammars of a package that colours code are packed in.
GRAMMARS = "generated/acknowledgements_full.bin"
LINE = "=" * 100 + "\n"


def text_for(target):
    texts, silent, grammars = defaultdict(list), [], []
    for crate in crates.of_target(target).values():
        if crate.is_own:
            continue
        name, folder = f"{crate.name} {crate.version} ({crate.licence or 'see its file'})", crate.folder
        found = licence_files(folder)
        for file in found:
            place = file.relative_to(folder)
            texts[normal(file.read_text(errors="replace"))].append(name if len(place.parts) == 1 else f"{name}: {place}")
        if not found:
            silent.append(name)
        if (folder / GRAMMARS).is_file():
            grammars += read_grammars((folder / GRAMMARS).read_bytes())
    for path, licence in grammars:
        texts[normal(licence)].append(f"grammar or theme: {path}")
    if target.endswith("-musl"):
        mit = (ROOT / "LICENSE-MIT").read_text()
        terms = mit[mit.index("Permission is hereby granted") :]
        texts[normal("Copyright © 2005-2020 Rich Felker, et al.\n\n" + terms)].append("musl (MIT)")
    apache, mit = LICENCE_FILES
    parts = [
        f"{TITLE} is built of what others wrote. These are their licences, each text once, and who has it.\n"
        f"The Rust standard library, which is in every binary, is under MIT OR Apache-2.0: {apache} and a text like {mit}.\n"
    ]
    if silent:
        parts.append(f"Packages that carry no text of their licence; see {mit} and {apache} for what MIT and Apache-2.0 say:\n" + "".join(f"  {name}\n" for name in silent))
    for text, names in sorted(texts.items(), key=lambda item: sorted(item[1])[0].lower()):
        parts.append("".join(f"{name}\n" for name in sorted(set(names))) + "\n" + text)
    return ("\n" + LINE + "\n").join(parts)


def licence_files(folder):
    """Files with the text of a licence, also of the C code that a package brings along."""
    found = []
    for file in sorted(folder.rglob("*")):
        stem = file.name.lower()
        is_text = file.suffix.lower() in ("", ".txt", ".md", ".mit", ".apache", ".spdx") or stem.startswith(("license-", "licence-"))
        if file.is_file() and stem.startswith(NAMES) and is_text:
            found.append(file)
    return found


def normal(text):
    return "\n".join(line.rstrip() for line in text.strip().splitlines()) + "\n"


def read_grammars(packed):
    """The licences that two-face keeps of its grammars and themes: zlib over lists of (kind, text, path) in bincode."""
    data = memoryview(zlib.decompress(packed))
    at, found = 0, []

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(data[at - size : at], "little")

    def string():
        nonlocal at
        length = number(8)
        at += length
        return bytes(data[at - length : at]).decode()

    for _ in ("grammars", "themes"):
        for _ in range(number(8)):
            number(4)
            licence, path = string(), string()
            found.append((path, licence))
    if at != len(data):
        raise Refused("two-face keeps the licences of its grammars in another form now; update packaging/licences/third_party.py.")
    return found
