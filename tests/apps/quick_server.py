"""An MCP server for tests that begins at once, since it has no library, chatters, and outlives the end of its input."""

import json
import os
import sys
import time

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("whoami", "hang", "flood")]


def called(tool: str) -> dict[str, object]:
    if tool == "hang":
        time.sleep(600)
    while tool == "flood":
        os.write(1, b"y" * 65536)
    return {"content": [{"type": "text", "text": str(os.getpid())}]}


def answered(method: str, asked: dict[str, object]) -> dict[str, object]:
    match method:
        case "initialize":
            about = {"serverInfo": {"name": "quick", "version": "1"}, "capabilities": {"tools": {}}}
            return {"result": about | {"protocolVersion": asked["protocolVersion"]}}
        case "tools/list":
            return {"result": {"tools": TOOLS}}
        case "tools/call":
            return {"result": called(str(asked["name"]))}
        case _:
            return {"error": {"code": -32601, "message": f"no {method} here"}}


print("welcome to the quick server 😀", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print('{"half": "a message', message["method"], flush=True)
        answer = answered(message["method"], message.get("params", {}))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}), flush=True)
time.sleep(600)
