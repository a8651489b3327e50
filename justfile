# Shortcuts: each does what its command says. `just` without a name lists them.

_list:
    @just --list --unsorted

# Formatting, lints and unit tests
quick:
    dev/test quick

# Everything that a change must pass
test:
    dev/test

# Clients and suites that others wrote
clients:
    dev/test --clients

# Generated cases in great number, races, kills and the fuzz targets
long:
    dev/test --long

# The fuzz targets, or those that are named
fuzz *TARGETS:
    dev/fuzz {{TARGETS}}

# What the tests need and this machine lacks
setup:
    dev/setup

# The crates that authors use, with each choice of features
features:
    dev/check-features

# The tests of one room: `just room tools`
room NAME:
    cargo test --package holdpoint-{{NAME}}

# Formats all code
format:
    cargo fmt --all

# An agent asks you to approve a plan
demo *ARGS:
    cargo demo {{ARGS}}

# Measures what the benchmark measures
bench *ARGS:
    bench/run {{ARGS}}

# Pictures of the page, into target/screenshots
screenshots:
    tools/screenshots
