"""Anthropic's own package: Messages, streams, tools, token counts, errors."""

import anthropic

from service import base_for, door, is_right, key, question, quick, weather_arguments, weather_question, weather_tool

# The package appends `/v1/messages` itself.
address = base_for(quick).rstrip("/").removesuffix("/v1")
client = anthropic.Anthropic(base_url=address, api_key=key)
messages = [{"role": "user", "content": question}]
# Newer models of its maker take no temperature, so the package has no word for it any more.
steady = {"temperature": 0}

whole = client.messages.create(model=quick, max_tokens=200, messages=messages, extra_body=steady)
is_right(whole.content[0].text)
assert whole.stop_reason == "end_turn" and whole.usage.output_tokens > 0

with client.messages.stream(model=quick, max_tokens=200, messages=messages, extra_body=steady) as stream:
    text = "".join(stream.text_stream)
    final = stream.get_final_message()
assert text == whole.content[0].text == final.content[0].text
assert final.usage.output_tokens == whole.usage.output_tokens

function = weather_tool["function"]
tools = [{"name": function["name"], "description": function["description"], "input_schema": function["parameters"]}]
asked = [{"role": "user", "content": weather_question}]
called = client.messages.create(model=quick, max_tokens=200, messages=asked, tools=tools, extra_body=steady)
use = next(block for block in called.content if block.type == "tool_use")
assert called.stop_reason == "tool_use" and use.input == weather_arguments, called
told = client.messages.create(
    model=quick,
    max_tokens=200,
    tools=tools,
    extra_body=steady,
    messages=[
        *asked,
        {"role": "assistant", "content": called.content},
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": use.id, "content": '{"temperature": 21, "unit": "celsius"}'}],
        },
    ],
)
assert "21" in told.content[0].text, told

counted = client.messages.count_tokens(model=quick, messages=messages)
assert counted.input_tokens == whole.usage.input_tokens, (counted, whole.usage)

try:
    client.messages.create(model="no-such-model", max_tokens=10, messages=messages)
    raise AssertionError("it should have been refused")
except anthropic.NotFoundError as error:
    assert error.body["error"]["type"] == "not_found_error", error.body
if door == "proxy":
    try:
        anthropic.Anthropic(base_url=address, api_key="gh_wrong").messages.create(model=quick, max_tokens=10, messages=messages)
        raise AssertionError("it should have been refused")
    except anthropic.AuthenticationError as error:
        assert error.body["type"] == "error", error.body
