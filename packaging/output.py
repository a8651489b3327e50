"""What the scripts say, and how they run programs."""

import subprocess
import sys


class Refused(Exception):
    """Something that the one who runs this has to mend; its text says what."""


def say(text):
    print(f"package: {text}", file=sys.stderr, flush=True)


def run(*command, **options):
    """Runs a program, and stops everything if it fails."""
    try:
        subprocess.run(list(map(str, command)), check=True, **options)
    except FileNotFoundError:
        raise Refused(f"{command[0]} is not here. Install it, and run this again.") from None
    except subprocess.CalledProcessError as failed:
        raise Refused(f"{' '.join(map(str, command))} failed with exit code {failed.returncode}.") from None


def printed_by(*command, **options):
    """What a program prints."""
    try:
        return subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE, **options).stdout
    except FileNotFoundError:
        raise Refused(f"{command[0]} is not here. Install it, and run this again.") from None
    except subprocess.CalledProcessError as failed:
        raise Refused(f"{' '.join(map(str, command))} failed with exit code {failed.returncode}.") from None
