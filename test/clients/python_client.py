"""Calls the service with nothing but Python's standard library and prints what it saw as JSON."""

import http.client
import json
import socket
import sys
import urllib.error
import urllib.request
from urllib.parse import urlsplit

base, key, model = sys.argv[1:4]
question = {"model": model, "temperature": 0, "messages": [{"role": "user", "content": "What is 17 plus 25?"}]}


def request(body, path="chat/completions", **headers):
    return urllib.request.Request(
        base + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "bearer " + key, "Content-Type": "application/json", **headers},
    )


def whole():
    with urllib.request.urlopen(request(question)) as answer:
        return json.load(answer)["choices"][0]["message"]["content"]


def streamed():
    text, done = "", False
    with urllib.request.urlopen(request({**question, "stream": True})) as answer:
        for line in answer:
            data = line.decode().strip().removeprefix("data: ")
            if data == "[DONE]":
                done = True
            elif data:
                text += json.loads(data)["choices"][0]["delta"].get("content") or ""
    return {"text": text, "done": done}


def models():
    with urllib.request.urlopen(request(None, "models")) as answer:
        return sorted(entry["id"] for entry in json.load(answer)["data"])


def refused():
    try:
        urllib.request.urlopen(request({**question, "temperature": 9}))
    except urllib.error.HTTPError as error:
        return {"status": error.code, **json.load(error)["error"]}
    raise AssertionError("it should have been refused")


def kept_alive():
    """Two calls on one connection, a call that runs out of time, and one that is left while it streams."""
    address = urlsplit(base)
    connection = http.client.HTTPConnection(address.hostname, address.port)
    headers = {"Authorization": "bearer " + key, "Content-Type": "application/json"}
    statuses = []
    for _ in range(2):
        connection.request("POST", address.path + "chat/completions", json.dumps(question), headers)
        answer = connection.getresponse()
        answer.read()
        statuses.append(answer.status)
    endless = {**question, "ignore_eos": True, "max_tokens": 1900}
    connection.sock.settimeout(0.6)
    connection.request("POST", address.path + "chat/completions", json.dumps(endless), headers)
    try:
        connection.getresponse()
        statuses.append("answered")
    except socket.timeout:
        statuses.append("timed out")
    connection.close()
    with urllib.request.urlopen(request({**endless, "stream": True})) as answer:
        answer.readline()
        statuses.append("left")
    return statuses


print(json.dumps({name: globals()[name]() for name in ("whole", "streamed", "models", "refused", "kept_alive")}))
