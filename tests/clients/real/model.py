#!/usr/bin/env python3
"""A model on loopback that does what the user's message says, for clients that others wrote.

`SCENARIO name` in the message stands for the calls of scenarios.json, made one after the other. Where a
result says `pending`, await_answer is called with its askId first, unless the scenario says `follow: 0`.
A `shell` is a line for the client's own shell. `$ASK` stands for the last askId that came back, `$PLAN` for
the file that Claude Code names for a plan.

    model.py SCENARIOS LOG

prints its address, and writes one JSON object per line to LOG: `says` (a call or a text), `got` (at the
end: all results, as the client gave them to the model), `asked` (each request, in short), `fault`.
"""
import gzip
import json
import re
import subprocess
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse

from dialects import Anthropic, Chat, Gemini, Responses

SCENARIOS = json.load(open(sys.argv[1]))
LOG = open(sys.argv[2], "a", buffering=1)
LOCK = threading.Lock()
ASK = r'askId\\*"?\W+([0-9a-f]{8}-[0-9a-f-]{27})'
# Tools with which clients look for tools whose schemas they did not send.
SEARCHES = ("ToolSearch", "tool_search")
# What clients call their shell, and how each is told what to run.
SHELLS = {
    "Bash": lambda line: {"command": line, "description": "Runs a command"},
    "bash": lambda line: {"command": line, "description": "Runs a command"},
    "run_shell_command": lambda line: {"command": line, "description": "Runs a command"},
    "exec_command": lambda line: {"cmd": line},
    "run_commands": lambda line: {"commands": [line]},
}


def log(kind, what):
    with LOCK:
        LOG.write(json.dumps({kind: what}) + "\n")


def wanted(text):
    """The scenario that a text names last."""
    names = re.findall(r"SCENARIO (\w+)", text)
    return SCENARIOS.get(names[-1]) if names else None


def next_step(turns, tools):
    """What is said to a conversation with these tools: ("text", text) or ("call", tool, arguments)."""
    start = max((n for n, (who, text) in enumerate(turns) if who == "user" and wanted(text)), default=None)
    if start is None or not tools:
        return ("text", "Ready.")
    scenario = wanted(turns[start][1])
    since = turns[start + 1:]
    called, results = [], []
    searching = False
    for who, text in since:
        if who == "call":
            searching = text in SEARCHES
            called += [] if searching else [text]
        elif who == "result" and not searching:
            results.append(text)
    asks = re.findall(ASK, "\n".join(results))
    waited = 0
    for name in reversed(called):
        if not name.endswith("await_answer"):
            break
        waited += 1
    if results and asks and is_pending(results[-1]) and waited < scenario.get("follow", 3):
        return reach("await_answer", dict(scenario.get("await", {}), askId=asks[-1]), turns, since, tools)
    awaits_itself = any(call.get("tool") == "await_answer" for call in scenario["calls"])
    made = sum(1 for name in called if awaits_itself or not name.endswith("await_answer"))
    if made < len(scenario["calls"]):
        call = json.dumps(scenario["calls"][made]).replace("$ASK", asks[-1] if asks else "none")
        call = json.loads(call.replace("$PLAN", plan_file(turns)))
        if "shell" in call:
            shell = next((name for name in SHELLS if name in tools), None)
            if shell is None:
                return fault("a shell", tools)
            return ("call", shell, SHELLS[shell](call["shell"]))
        return reach(call["tool"], call.get("args", {}), turns, since, tools)
    log("got", results)
    return ("text", "The scenario has ended.")


def plan_file(turns):
    """The file that Claude Code has its plan written to."""
    files = re.findall(r"/\S+/\.claude/plans/[\w-]+\.md", "\n".join(text for who, text in turns if who == "user"))
    return files[-1] if files else "none"


def is_pending(result):
    return re.search(r'status\\*"?\W+pending', result) or "Pending" in result


def reach(want, arguments, turns, since, tools):
    """A call of a tool, or the search for it where the client sent only its name."""
    name = find(tools, want)
    if name:
        return ("call", name, arguments)
    listed = re.findall(r"\b(?:mcp__[\w-]+|AskUserQuestion|ExitPlanMode)", "\n".join(text for who, text in turns if who in ("user", "result")))
    name = find(listed, want)
    searches = sum(1 for turn in since if turn[0] == "call" and turn[1] in SEARCHES)
    calls = sum(1 for turn in since if turn[0] == "call" and turn[1] not in SEARCHES)
    if "ToolSearch" in tools:  # Claude Code
        if name and searches > calls:
            return ("call", name, arguments)
        # It may not have the server's list yet when it is asked.
        if searches < 9:
            return ("call", "ToolSearch", {"query": "select:" + name if name else want, "max_results": 5})
    if "tool_search" in tools:  # Qwen Code
        if name:
            return ("call", "tool_call", {"name": name, "arguments": arguments})
        if searches < 3:
            query = want.split("|")[0].replace("_", " ") + " holdpoint"
            return ("call", "tool_search", {"query": query, "max_results": 5})
    return fault(want, tools)


def fault(want, tools):
    log("fault", "no tool %s among %s" % (want, ", ".join(tools)))
    return ("text", "There is no such tool.")


def find(tools, want):
    """The first wanted name that is there, with whatever a client puts before it."""
    for name in want.split("|"):
        ends = [tool for tool in tools if re.search(r"(^|[_.:/-])" + re.escape(name) + "$", tool)]
        if ends:
            return min(ends, key=lambda tool: (tool != name, "holdpoint" not in tool, len(tool)))
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.answer({})

    def do_GET(self):
        if urlparse(self.path).path.endswith("/models"):
            one = {"id": "fake-model", "object": "model", "created": 1, "owned_by": "fake", "type": "model",
                   "display_name": "Fake", "name": "models/fake-model"}
            self.answer({"object": "list", "data": [one], "models": [], "has_more": False})
        else:
            self.answer({"error": {"message": "not here", "type": "not_found_error"}}, 404)

    def do_POST(self):
        path = urlparse(self.path).path
        try:
            body = self.body()
            if path.endswith("/messages/count_tokens"):
                self.answer({"input_tokens": 100})
            elif ":countTokens" in path:
                self.answer({"totalTokens": 100})
            elif path.endswith("/messages"):
                self.converse(Anthropic(), body, body.get("stream"))
            elif path.endswith("/responses"):
                self.converse(Responses(), body, body.get("stream"))
            elif path.endswith("/chat/completions"):
                self.converse(Chat(), body, body.get("stream"))
            elif "enerateContent" in path:
                self.converse(Gemini(), body, ":stream" in path)
            else:
                self.answer({}, 404)
        except BrokenPipeError:
            pass
        except Exception:
            log("fault", traceback.format_exc())
            self.answer({"error": {"message": "see the log"}}, 500)

    def converse(self, dialect, body, stream):
        turns, tools = dialect.read(body)
        log("asked", {"tools": len(tools), "last": turns[-1:]})
        says = next_step(turns, tools)
        log("says", says)
        answer = dialect.write(says, body, stream)
        if stream:
            self.stream(answer)
        else:
            self.answer(answer)

    def body(self):
        if self.headers.get("transfer-encoding", "").lower() == "chunked":
            raw = b""
            while size := int(self.rfile.readline().strip() or b"0", 16):
                raw += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        encoding = self.headers.get("content-encoding", "")
        if encoding == "zstd":
            raw = subprocess.run(["zstd", "-dc"], input=raw, capture_output=True, check=True).stdout
        elif encoding == "gzip":
            raw = gzip.decompress(raw)
        return json.loads(raw or b"{}")

    def answer(self, data, code=200):
        out = json.dumps(data).encode()
        self.send_response(code)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(out)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(out)

    def stream(self, events):
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        for name, data in events:
            data = data if isinstance(data, str) else json.dumps(data)
            head = "event: %s\n" % name if name else ""
            self.wfile.write(("%sdata: %s\n\n" % (head, data)).encode())
        self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


server = Server(("127.0.0.1", 0), Handler)
print("http://127.0.0.1:%d" % server.server_port, flush=True)
# It ends with the one who started it.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
