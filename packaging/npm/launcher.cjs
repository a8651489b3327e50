#!/usr/bin/env node
"use strict";

// Starts the binary of this platform's package, and ends as it ends. An MCP client talks to the binary through this
// process, so the standard streams are the binary's own, and whoever stops this process stops the binary.

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
// Made by packaging/npm/npm_packages.py.
const packages = {{PACKAGES}};
const name = packages[platform];

function binary() {
  if (process.env.HOLDPOINT_BINARY) return process.env.HOLDPOINT_BINARY;
  if (!name) {
    stop(
      `there is no binary for ${platform}. There is one for ${Object.keys(packages).join(", ")}. ` +
        "Build it yourself (cargo install --locked holdpoint-cli), and name it in the variable HOLDPOINT_BINARY.",
    );
  }
  try {
    return require.resolve(`${name}/${process.platform === "win32" ? "holdpoint.exe" : "holdpoint"}`);
  } catch {
    stop(
      `the package ${name}, which has the binary, is not installed. Install holdpoint again without --omit=optional ` +
        "(or --no-optional), on the system that it is to run on.",
    );
  }
}

// 127 as shells say it of a program that is not there: 1 would be somebody's "no".
function stop(why) {
  process.stderr.write(`holdpoint: ${why}\n`);
  process.exit(127);
}

// Listening comes first: a signal between the start of the binary and this would leave it alone.
// A terminal sends Ctrl-C to both; the binary decides what it means, and this process waits for it.
const fromTerminal = ["SIGINT", "SIGQUIT", "SIGWINCH"];
const listening = [];
let child;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT"]) {
  if (!(signal in constants.signals) || (process.platform === "win32" && signal !== "SIGINT")) continue;
  const pass = () => {
    if (!(process.stdin.isTTY && fromTerminal.includes(signal))) child.kill(signal);
  };
  process.on(signal, pass);
  listening.push([signal, pass]);
}

const program = binary();
child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => stop(`${program} cannot be started: ${error.message}`));
child.on("exit", (code, signal) => {
  if (!signal) process.exit(code);
  for (const [name, pass] of listening) process.removeListener(name, pass);
  // Ends by the same signal, so that whoever waits sees what happened; or, where Node ignores it, with a shell's word for it.
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
});
