"""Drives the Python client `mcp` 2, which speaks both eras of the protocol."""

import json
import os
import signal
import sys
import threading
import time
import warnings

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, Implementation

PLAN = {
    "era": "legacy",
    "name": "mcpdo-holdpoint-test",
    "elicitation": "form",
    "calls": [],
    "answers": [],
    **json.loads(sys.argv[1]),
}

FINISHED = threading.Event()
LINES = anyio.Lock()


def emit(event, **fields):
    """Prints one event. Written at once, so that nothing is lost when the client vanishes."""
    print(json.dumps({"event": event, **fields}), flush=True)


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_none=True)


async def answer_elicitation(_context, params):
    emit("elicitation", params=plain(params))
    try:
        return await answer_to(params.message)
    except anyio.get_cancelled_exc_class():
        # It is also cancelled when we close the connection ourselves.
        if not FINISHED.is_set():
            emit("withdrawn")
        raise


async def answer_to(message):
    answers = PLAN["answers"]
    index = next((i for i, answer in enumerate(answers) if answer.get("to", "") in message), None)
    answer = {"action": "cancel"} if index is None else answers.pop(index)
    await anyio.sleep(answer.get("delayMs", 0) / 1000)
    if answer.get("await"):
        async with LINES:
            await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
    if answer.get("vanish"):
        os.kill(os.getpid(), signal.SIGKILL)
    answer = {key: answer[key] for key in ("action", "content") if key in answer}
    emit("answer", answer=answer)
    return ElicitResult(**answer)


async def on_message(message):
    if isinstance(message, Exception):
        emit("notification", method="error", params={"message": str(message)})
    elif message.method != "notifications/progress":
        emit("notification", method=message.method, params=plain(message.params) if message.params else None)


def server():
    if "url" in PLAN:
        http = create_mcp_http_client(headers=PLAN.get("headers"))
        return streamable_http_client(PLAN["url"], http_client=http)
    command, *args = PLAN["command"]
    return StdioServerParameters(command=command, args=args, env={**os.environ, **PLAN.get("env", {})})


async def make_call(client, index, call):
    started = time.monotonic()

    def ms():
        return round((time.monotonic() - started) * 1000)

    try:
        result = plain(await perform(client, index, call))
        event = "input_required" if result.get("resultType") == "input_required" else "result"
        emit(event, call=index, result=result, ms=ms())
    except MCPError as error:
        emit("error", call=index, code=error.code, message=error.message, data=error.data, ms=ms())
    except Exception as error:  # noqa: BLE001 - whatever it was, the test wants to see it
        emit("error", call=index, message=f"{type(error).__name__}: {error}", ms=ms())


async def perform(client, index, call):
    rounds = {"input_responses": call.get("inputResponses"), "request_state": call.get("requestState")}
    if call.get("prompt"):
        return await client.get_prompt(call["prompt"], call.get("arguments"), **rounds)

    async def on_progress(progress, total, message):
        emit("progress", call=index, progress=progress, total=total, message=message)

    manual = {"allow_input_required": True} if call.get("manual") else {}
    return await (client.session if manual else client).call_tool(
        call["tool"], call.get("arguments"), progress_callback=on_progress, **rounds, **manual
    )


async def main():
    asks = PLAN["elicitation"] != "none"
    client = Client(
        server(),
        mode="legacy" if PLAN["era"] == "legacy" else "2026-07-28",
        client_info=Implementation(name=PLAN["name"], version="2.0.0"),
        elicitation_callback=answer_elicitation if asks else None,
        message_handler=on_message,
        read_timeout_seconds=PLAN["timeoutMs"] / 1000 if "timeoutMs" in PLAN else None,
    )
    async with client:
        info = client.server_info
        emit("connected", protocolVersion=client.protocol_version, server=plain(info) if info else None)
        if PLAN.get("together"):
            async with anyio.create_task_group() as calls:
                for index, call in enumerate(PLAN["calls"]):
                    calls.start_soon(make_call, client, index, call)
        else:
            for index, call in enumerate(PLAN["calls"]):
                await make_call(client, index, call)
        await anyio.sleep(PLAN.get("lingerMs", 0) / 1000)
        FINISHED.set()


if PLAN["elicitation"] == "defaults" or PLAN.get("resetOnProgress"):
    print("this client cannot do that: filling in defaults, or renewing its time-out", file=sys.stderr)
    sys.exit(2)
warnings.simplefilter("ignore")
anyio.run(main)
