#!/usr/bin/env python3
"""Asks a person before a deployment, waits for the decision, and acts on it.

    export HOLDPOINT_TOKEN=…      # what `holdpoint token create deploy --may ask` printed
    python3 ask.py 2.4
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

PAGE = os.environ.get("HOLDPOINT_URL", "http://127.0.0.1:4653")
TOKEN = os.environ["HOLDPOINT_TOKEN"]


def call(method, path, body=None, **headers):
    """One request. The page may be moving to another process: then it is there again in a moment."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(PAGE + path, data, headers, method=method)
    for wait in (1, 2, 4, 8, None):
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            sys.exit(json.load(refused)["error"]["message"])
        except OSError as lost:
            if wait is None:
                sys.exit(f"The page cannot be reached: {lost}")
            time.sleep(wait)


def ask(question):
    """Asks, and waits until somebody has decided or the time is up."""
    # With a key, the same request again is the same question.
    told = call("POST", "/api/asks", question, **{"Idempotency-Key": str(uuid.uuid4())})
    print("Waiting for a person:", told.get("url", "`holdpoint inbox`"), file=sys.stderr)
    while told["status"] == "pending":
        told = call("GET", f"/api/asks/{told['askId']}?wait=60")
    return told


version = sys.argv[1] if len(sys.argv) > 1 else "the next version"
told = ask(
    {
        "message": f"Deploy **{version}** to production?",
        "fields": [
            {"name": "deploy", "kind": "confirm", "title": "Deploy it?"},
            {"name": "when", "kind": "choice", "title": "When?", "options": ["now", "tonight"]},
        ],
        "timeoutSeconds": 3600,
    }
)
# Nothing but `proceed` is a yes: not a status, not a value, not silence.
if told["proceed"]:
    print(f"Deploying {version} {told['values']['when']}, as {told['answeredBy']} decided.")
else:
    sys.exit(f"Not deployed ({told['status']}). {told.get('reason') or told['nextStep']}")
