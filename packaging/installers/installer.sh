#!/bin/sh
# Installs {{NAME}} {{VERSION}} for you alone: one program, into one folder. It changes no profile and asks for no password.
#
#   HOLDPOINT_INSTALL_DIR    the folder; else $XDG_BIN_HOME, else $CARGO_HOME/bin where that variable is set, else ~/.local/bin
#   HOLDPOINT_DOWNLOAD_URL   where the archives lie, for mirrors: https://…, http://… or file://…
#
# The archive's SHA-256 is in this script, and what differs from it is not installed.
set -u

base=${HOLDPOINT_DOWNLOAD_URL:-{{RELEASE}}}
work=

main() {
    system=$(uname -s)
    processor=$(uname -m)
    case $system in
        Linux) system=linux ;;
        Darwin)
            system=darwin
            # A program under Rosetta is told of another processor than there is.
            if [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then processor=arm64; fi
            ;;
    esac
    case $processor in
        x86_64 | amd64) processor=x64 ;;
        aarch64 | arm64) processor=arm64 ;;
    esac
    archive=
    case $system-$processor in
{{ARCHIVES}}
        *) fail "there is no binary for $(uname -s) on $(uname -m). Build it yourself: cargo install --locked {{CRATE}}" ;;
    esac

    folder=$(install_folder) || exit 1
    work=$(mktemp -d) || fail "no temporary folder can be made. Set TMPDIR to one that you can write to."
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM

    say "downloading $base/$archive"
    download "$base/$archive" "$work/$archive" || fail "$base/$archive cannot be downloaded. Is the network there? HOLDPOINT_DOWNLOAD_URL names a mirror."
    found=$(sha256 "$work/$archive") || fail "nothing here can compute a SHA-256. Install coreutils, perl or openssl; without it nothing is installed."
    if [ "$found" != "$expected" ]; then
        fail "$archive is not the file that was released: its SHA-256 is $found, and should be $expected. Nothing was installed."
    fi
    tar -xzf "$work/$archive" -C "$work" || fail "$archive cannot be unpacked."
    mkdir -p "$folder" || fail "the folder $folder cannot be made. Name another in HOLDPOINT_INSTALL_DIR."
    # A rename replaces also a program that runs.
    unpacked=$work/${archive%.tar.gz}/{{NAME}}
    if ! { cp "$unpacked" "$folder/.{{NAME}}.new" && chmod 755 "$folder/.{{NAME}}.new" && mv -f "$folder/.{{NAME}}.new" "$folder/{{NAME}}"; }; then
        rm -f "$folder/.{{NAME}}.new"
        fail "$folder cannot be written to. Name another in HOLDPOINT_INSTALL_DIR."
    fi

    say "installed $("$folder/{{NAME}}" --version) in $folder"
    case :$PATH: in
        *:"$folder":*) ;;
        *) say "$folder is not in your PATH. Put this line into your shell's profile: export PATH=\"$folder:\$PATH\"" ;;
    esac
    say "see it work: {{NAME}} demo"
}

install_folder() {
    if [ -n "${HOLDPOINT_INSTALL_DIR:-}" ]; then
        printf '%s' "$HOLDPOINT_INSTALL_DIR"
    elif [ -n "${XDG_BIN_HOME:-}" ]; then
        printf '%s' "$XDG_BIN_HOME"
    elif [ -n "${CARGO_HOME:-}" ]; then
        printf '%s' "$CARGO_HOME/bin"
    elif [ -n "${HOME:-}" ]; then
        printf '%s' "$HOME/.local/bin"
    else
        fail "HOME is not set. Name a folder in HOLDPOINT_INSTALL_DIR."
    fi
}

download() {
    # An address of https stays one, through every redirection.
    case $1 in https:*) only='=https' ;; *) only='=https,http,file' ;; esac
    if command -v curl >/dev/null; then
        curl --proto "$only" --fail --silent --show-error --location --retry 3 --output "$2" "$1"
    elif command -v wget >/dev/null; then
        case $1 in https:*) wget --https-only --quiet --output-document="$2" "$1" ;; *) wget --quiet --output-document="$2" "$1" ;; esac
    else
        fail "neither curl nor wget is here. Install one of them."
    fi
}

sha256() {
    if command -v sha256sum >/dev/null; then
        sum=$(sha256sum "$1")
    elif command -v shasum >/dev/null; then
        sum=$(shasum -a 256 "$1")
    elif command -v openssl >/dev/null; then
        sum=$(openssl dgst -sha256 -r "$1")
    else
        return 1
    fi
    printf '%s' "${sum%% *}"
}

say() { printf '%s: %s\n' {{NAME}}-installer "$1" >&2; }

fail() {
    say "$1"
    exit 1
}

# Read as a whole before anything runs: half a script does nothing.
main "$@"
