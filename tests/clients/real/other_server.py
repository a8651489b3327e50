#!/usr/bin/env python3
"""An MCP server that is not ours, on standard input and output. Its tool `ask_stage` asks with a form, and gives
back what came of it."""
import json
import sys

SCHEMA = {
    "type": "object",
    "properties": {"stage": {"type": "string", "title": "Stage", "enum": ["staging", "production"]}},
    "required": ["stage"],
}
TOOL = {"name": "ask_stage", "description": "Asks for the stage", "inputSchema": {"type": "object", "properties": {}}}


def send(message):
    print(json.dumps(dict(message, jsonrpc="2.0")), flush=True)


called = None
for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        about = {"name": "other", "version": "1"}
        send({"id": number, "result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}})
    elif method == "tools/list":
        send({"id": number, "result": {"tools": [TOOL]}})
    elif method == "tools/call":
        called = number
        asked = {"message": "Deploy to which stage?", "requestedSchema": SCHEMA}
        send({"id": "form", "method": "elicitation/create", "params": asked})
    elif method is None and number == "form":
        text = json.dumps(message.get("result", message.get("error")))
        send({"id": called, "result": {"content": [{"type": "text", "text": text}]}})
    elif number is not None:
        send({"id": number, "error": {"code": -32601, "message": "no such method"}})
