#!/usr/bin/env python3
"""Stands for `holdpoint` where a client runs it, and records what happens.

    tee.py BINARY FOLDER serve …     stands between the client and the server
    tee.py BINARY FOLDER answer …    any other command, which an agent runs in its shell

Each run writes one file of FOLDER, a JSON object per line, each with `at`, the time in seconds: `start`
(arguments, environment), `client` and `server` (a message of JSON-RPC), `log` (what the server logs), `end`;
or `shell` (arguments, environment, exit code).
"""
import json
import os
import signal
import subprocess
import sys
import threading
import time

binary, folder, *arguments = sys.argv[1:]
record = open(os.path.join(folder, "%d-%d.jsonl" % (time.time() * 1000, os.getpid())), "a", buffering=1)
lock = threading.Lock()


def note(kind, what):
    with lock:
        record.write(json.dumps({"at": round(time.time(), 3), kind: what}) + "\n")


began = {"arguments": arguments, "environment": dict(os.environ)}
if arguments[:1] != ["serve"]:
    code = subprocess.call([binary, *arguments])
    note("shell", dict(began, exit=code))
    sys.exit(code)
note("start", began)
server = subprocess.Popen([binary, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def pass_on(kind, source, target):
    for line in iter(source.readline, b""):
        try:
            note(kind, json.loads(line))
        except ValueError:
            note("log", line.decode("utf-8", "replace").rstrip())
        try:
            target.write(line)
            target.flush()
        except (BrokenPipeError, ValueError):
            break
    if kind == "client":
        note("end", "the client closed its side")
        server.stdin.close()


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, lambda number, _: server.send_signal(number))
threading.Thread(target=pass_on, args=("client", sys.stdin.buffer, server.stdin), daemon=True).start()
replies = [
    threading.Thread(target=pass_on, args=("server", server.stdout, sys.stdout.buffer), daemon=True),
    threading.Thread(target=pass_on, args=("log", server.stderr, sys.stderr.buffer), daemon=True),
]
for thread in replies:
    thread.start()
code = server.wait()
for thread in replies:
    thread.join(1)
os._exit(code if code >= 0 else 128 - code)
