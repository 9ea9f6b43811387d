"""OpenAI's own package: chat, streams, tools, parsing, Responses, errors."""

import asyncio
import json

import openai
from pydantic import BaseModel

from service import base_for, door, is_right, key, question, quick, thinking, weather_arguments, weather_question, weather_tool

client = openai.OpenAI(base_url=base_for(quick), api_key=key)
messages = [{"role": "user", "content": question}]

whole = client.chat.completions.create(model=quick, messages=messages, temperature=0)
is_right(whole.choices[0].message.content)
assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens

text = ""
usage = None
for chunk in client.chat.completions.create(
    model=quick, messages=messages, temperature=0, stream=True, stream_options={"include_usage": True}
):
    if chunk.choices:
        text += chunk.choices[0].delta.content or ""
    usage = chunk.usage or usage
assert text == whole.choices[0].message.content
assert usage.completion_tokens == whole.usage.completion_tokens

with client.chat.completions.stream(model=quick, messages=messages, temperature=0) as stream:
    for _ in stream:
        pass
    is_right(stream.get_final_completion().choices[0].message.content)

call = client.chat.completions.create(
    model=quick,
    messages=[{"role": "user", "content": weather_question}],
    tools=[weather_tool],
    temperature=0,
).choices[0]
assert call.finish_reason == "tool_calls"
assert json.loads(call.message.tool_calls[0].function.arguments) == weather_arguments


class Sum(BaseModel):
    first: int
    second: int
    result: int


parsed = client.chat.completions.parse(
    model=quick, messages=[{"role": "user", "content": "Give the sum of 17 and 25."}], response_format=Sum, temperature=0
)
assert isinstance(parsed.choices[0].message.parsed, Sum)

thoughts = openai.OpenAI(base_url=base_for(thinking), api_key=key).chat.completions.create(
    model=thinking, messages=messages, reasoning_effort="low", temperature=0
)
is_right(thoughts.choices[0].message.content)
assert thoughts.choices[0].message.model_extra.get("reasoning_content")

response = client.responses.create(model=quick, input=question, temperature=0)
is_right(response.output_text)
assert response.status == "completed"
kinds = []
with client.responses.stream(model=quick, input=question, temperature=0) as stream:
    for event in stream:
        kinds.append(event.type)
    is_right(stream.get_final_response().output_text)
assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds


async def many():
    asynchronous = openai.AsyncOpenAI(base_url=base_for(quick), api_key=key)
    answers = await asyncio.gather(
        *(asynchronous.chat.completions.create(model=quick, messages=messages, temperature=0) for _ in range(4))
    )
    for answer in answers:
        is_right(answer.choices[0].message.content)


asyncio.run(many())

assert quick in [model.id for model in client.models.list()]

try:
    client.chat.completions.create(model="no-such-model", messages=messages)
    raise AssertionError("it should have been refused")
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error
try:
    client.chat.completions.create(model=quick, messages=messages, temperature=9)
    raise AssertionError("it should have been refused")
except openai.BadRequestError as error:
    assert error.param == "temperature", error
if door == "proxy":
    try:
        openai.OpenAI(base_url=base_for(quick), api_key="gh_wrong").models.list()
        raise AssertionError("it should have been refused")
    except openai.AuthenticationError as error:
        assert error.code == "invalid_api_key", error
