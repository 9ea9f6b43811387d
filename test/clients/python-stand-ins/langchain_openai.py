"""Stand-in for the package of the same name, for tests on machines that cannot install it: one question, one answer."""

from openai import OpenAI


class ChatOpenAI:
    def __init__(self, *, model, base_url, api_key):
        self._model = model
        self._client = OpenAI(base_url=base_url, api_key=api_key)

    def invoke(self, question):
        messages = [{"role": "user", "content": question}]
        return self._client.chat.completions.create(model=self._model, messages=messages).choices[0].message
