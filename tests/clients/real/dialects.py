"""The four APIs in which clients talk with a model: what each says as turns, and what is said back.

A turn is ("user", text), ("model", text), ("call", tool) or ("result", text). What is said back is
("text", text) or ("call", tool, arguments). `write` gives a whole answer, or the events of a stream.
"""
import json
import time
import uuid


def fresh(prefix):
    return prefix + uuid.uuid4().hex[:16]


def flat(content):
    """All text of a content, however it is nested."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flat(part) for part in content)
    for key in ("text", "content", "output"):
        if key in content:
            return flat(content[key])
    return json.dumps(content)


class Anthropic:
    """Anthropic Messages: Claude Code."""

    def read(self, body):
        turns = []
        for message in body.get("messages", []):
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            for part in parts:
                kind = part.get("type")
                if kind == "tool_use":
                    turns.append(("call", part["name"]))
                elif kind == "tool_result":
                    turns.append(("result", flat(part.get("content"))))
                elif kind == "text":
                    turns.append(("user" if message["role"] == "user" else "model", part["text"]))
        return turns, [tool["name"] for tool in body.get("tools", []) if "name" in tool]

    def write(self, says, body, stream):
        if says[0] == "text":
            block, stop = {"type": "text", "text": says[1]}, "end_turn"
            begun, delta = {"type": "text", "text": ""}, {"type": "text_delta", "text": says[1]}
        else:
            block = {"type": "tool_use", "id": fresh("toolu_"), "name": says[1], "input": says[2]}
            stop, begun = "tool_use", dict(block, input={})
            delta = {"type": "input_json_delta", "partial_json": json.dumps(says[2])}
        usage = {"input_tokens": 10, "output_tokens": 10}
        whole = {"id": fresh("msg_"), "type": "message", "role": "assistant", "model": body.get("model"),
                 "content": [block], "stop_reason": stop, "stop_sequence": None, "usage": usage}
        if not stream:
            return whole
        events = [
            {"type": "message_start", "message": dict(whole, content=[], stop_reason=None)},
            {"type": "content_block_start", "index": 0, "content_block": begun},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
             "usage": {"output_tokens": 10}},
            {"type": "message_stop"},
        ]
        return [(event["type"], event) for event in events]


class Responses:
    """OpenAI Responses: Codex, VS Code."""

    def read(self, body):
        items = body.get("input", [])
        if isinstance(items, str):
            items = [{"role": "user", "content": items}]
        turns = []
        for item in items:
            kind = item.get("type", "message")
            if kind in ("function_call", "custom_tool_call"):
                turns.append(("call", item["name"]))
            elif kind in ("function_call_output", "custom_tool_call_output"):
                turns.append(("result", flat(item.get("output"))))
            elif kind == "message":
                who = "user" if item["role"] == "user" else "model"
                turns.append((who, flat(item.get("content"))))
        return turns, list(self.tools(body))

    @staticmethod
    def tools(body):
        for tool in body.get("tools", []):
            if tool.get("type") == "namespace":
                for inner in tool.get("tools", []):
                    yield tool["name"] + "::" + inner["name"]
            elif "name" in tool:
                yield tool["name"]

    def write(self, says, body, stream):
        if says[0] == "text":
            text = {"type": "output_text", "text": says[1], "annotations": []}
            item = {"type": "message", "id": fresh("msg_"), "role": "assistant", "status": "completed",
                    "content": [text]}
            begun = dict(item, status="in_progress", content=[])
            place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
            middle = [
                dict(place, type="response.content_part.added", part=dict(text, text="")),
                dict(place, type="response.output_text.delta", delta=says[1]),
                dict(place, type="response.output_text.done", text=says[1]),
                dict(place, type="response.content_part.done", part=text),
            ]
        else:
            namespace, _, name = says[1].rpartition("::")
            arguments = json.dumps(says[2])
            item = {"type": "function_call", "id": fresh("fc_"), "call_id": fresh("call_"), "name": name,
                    "arguments": arguments, "status": "completed"}
            if namespace:
                item["namespace"] = namespace
            begun = dict(item, status="in_progress", arguments="")
            place = {"item_id": item["id"], "output_index": 0}
            middle = [
                dict(place, type="response.function_call_arguments.delta", delta=arguments),
                dict(place, type="response.function_call_arguments.done", arguments=arguments, name=name),
            ]
        response = {"id": fresh("resp_"), "object": "response", "created_at": int(time.time()),
                    "status": "in_progress", "model": body.get("model"), "output": [],
                    "parallel_tool_calls": True, "tools": [], "tool_choice": "auto"}
        usage = {"input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 10,
                 "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 20}
        done = dict(response, status="completed", output=[item], usage=usage)
        if not stream:
            return done
        events = [
            {"type": "response.created", "response": response},
            {"type": "response.in_progress", "response": response},
            {"type": "response.output_item.added", "output_index": 0, "item": begun},
            *middle,
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": done},
        ]
        return [(event["type"], dict(event, sequence_number=n)) for n, event in enumerate(events)]


class Chat:
    """OpenAI Chat Completions: Copilot CLI, opencode, Kilo, Qwen Code, Cline, Continue, fast-agent."""

    def read(self, body):
        turns = []
        for message in body.get("messages", []):
            role, text = message["role"], flat(message.get("content"))
            if role == "tool":
                turns.append(("result", text))
            elif role == "user":
                turns.append(("user", text))
            elif role == "assistant":
                turns += [("call", self.called(call["function"])) for call in message.get("tool_calls") or []]
                if text:
                    turns.append(("model", text))
        tools = [tool for tool in body.get("tools") or [] if tool.get("type") == "function"]
        return turns, [tool["function"]["name"] for tool in tools]

    @staticmethod
    def called(function):
        """Qwen Code calls the tools that it defers through one of its own."""
        if function["name"] == "tool_call":
            try:
                return json.loads(function["arguments"])["name"]
            except (ValueError, KeyError):
                pass
        return function["name"]

    def write(self, says, body, stream):
        if says[0] == "text":
            message, finish = {"role": "assistant", "content": says[1]}, "stop"
        else:
            call = {"id": fresh("call_"), "type": "function",
                    "function": {"name": says[1], "arguments": json.dumps(says[2])}}
            message, finish = {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
        usage = {"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}
        base = {"id": fresh("chatcmpl-"), "created": int(time.time()), "model": body.get("model")}
        if not stream:
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return dict(base, object="chat.completion", choices=[choice], usage=usage)
        base["object"] = "chat.completion.chunk"
        delta = dict(message)
        if "tool_calls" in delta:
            delta["tool_calls"] = [dict(call, index=0)]
        return [
            (None, dict(base, choices=[{"index": 0, "delta": delta, "finish_reason": None}])),
            (None, dict(base, choices=[{"index": 0, "delta": {}, "finish_reason": finish}])),
            (None, dict(base, choices=[], usage=usage)),
            (None, "[DONE]"),
        ]


class Gemini:
    """Google's generateContent: Gemini CLI."""

    def read(self, body):
        turns = []
        for message in body.get("contents", []):
            for part in message.get("parts", []):
                if "functionCall" in part:
                    turns.append(("call", part["functionCall"]["name"]))
                elif "functionResponse" in part:
                    turns.append(("result", json.dumps(part["functionResponse"].get("response"))))
                elif "text" in part:
                    turns.append(("user" if message.get("role") == "user" else "model", part["text"]))
        declared = [tool.get("functionDeclarations", []) for tool in body.get("tools") or []]
        return turns, [one["name"] for some in declared for one in some]

    def write(self, says, body, stream):
        if says[0] == "call":
            part = {"functionCall": {"name": says[1], "args": says[2]}}
        elif body.get("generationConfig", {}).get("responseMimeType") == "application/json":
            # It asks a model which model to use.
            part = {"text": json.dumps({"model_choice": "flash", "reasoning": "simple",
                                        "complexity_reasoning": "simple", "complexity_score": 10})}
        else:
            part = {"text": says[1]}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 10, "totalTokenCount": 20}
        answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "fake"}
        return [(None, answer)] if stream else answer
