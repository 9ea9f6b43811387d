"""LiteLLM as a client, in OpenAI's and in Anthropic's dialect."""

import litellm

from service import base_for, is_right, key, question, quick

litellm.telemetry = False
messages = [{"role": "user", "content": question}]
whole = litellm.completion(model=f"openai/{quick}", api_base=base_for(quick), api_key=key, messages=messages, temperature=0)
is_right(whole.choices[0].message.content)
text = ""
for chunk in litellm.completion(
    model=f"openai/{quick}", api_base=base_for(quick), api_key=key, messages=messages, temperature=0, stream=True
):
    text += chunk.choices[0].delta.content or ""
assert text == whole.choices[0].message.content
translated = litellm.completion(
    model=f"anthropic/{quick}",
    api_base=base_for(quick).rstrip("/").removesuffix("/v1"),
    api_key=key,
    messages=messages,
    max_tokens=200,
    temperature=0,
)
is_right(translated.choices[0].message.content)
