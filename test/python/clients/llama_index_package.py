"""LlamaIndex: complete, chat and stream."""

from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike

from service import base_for, is_right, key, question, quick

model = OpenAILike(
    model=quick, api_base=base_for(quick), api_key=key, is_chat_model=True, temperature=0, context_window=2048
)
whole = model.chat([ChatMessage(role="user", content=question)])
is_right(whole.message.content)
text = ""
for piece in model.stream_chat([ChatMessage(role="user", content=question)]):
    text += piece.delta or ""
assert text == whole.message.content
is_right(model.complete(question).text)
