"""Stand-in for the package of the same name, for tests on machines that cannot install it.

Written for these tests on Python's standard library. It does only what the snippets of this project use:
`client.chat.completions.create`, whole and streamed, and `client.models.list`.
"""

import json
import os
import urllib.request
from types import SimpleNamespace


class OpenAI:
    def __init__(self, *, base_url=None, api_key=None):
        # The real package reads the same two variables, insists on a key and joins addresses with one slash.
        self._base = (base_url or os.environ["OPENAI_BASE_URL"]).rstrip("/") + "/"
        self._key = api_key or os.environ.get("OPENAI_API_KEY")
        if not self._key:
            raise ValueError("The api_key must be set")
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))
        self.models = SimpleNamespace(list=lambda: _as_object(json.load(self._open("models"))))

    def _open(self, path, body=None):
        return urllib.request.urlopen(
            urllib.request.Request(
                self._base + path,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"},
            )
        )

    def _create(self, *, stream=False, **body):
        answer = self._open("chat/completions", {**body, "stream": stream})
        return _chunks(answer) if stream else _as_object(json.load(answer))


def _chunks(answer):
    for line in answer:
        data = line.decode().removeprefix("data:").strip()
        if data and data != "[DONE]":
            yield _as_object(json.loads(data))


class _Object(SimpleNamespace):
    """A field that did not come is None, as in the models of the real package."""

    def __getattr__(self, name):
        return None


def _as_object(value):
    if isinstance(value, dict):
        return _Object(**{name: _as_object(inner) for name, inner in value.items()})
    return [_as_object(inner) for inner in value] if isinstance(value, list) else value
