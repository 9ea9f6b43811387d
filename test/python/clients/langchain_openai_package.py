"""LangChain: invoke, stream, tools, structured output."""

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

from service import base_for, is_right, key, question, quick, weather_arguments, weather_question

model = ChatOpenAI(base_url=base_for(quick), api_key=key, model=quick, temperature=0)

whole = model.invoke(question)
is_right(whole.content)
assert whole.usage_metadata["output_tokens"] > 0
assert "".join(chunk.content for chunk in model.stream(question)) == whole.content


@tool
def get_current_weather(location: str, format: str) -> str:
    """Get the current weather. The format is celsius or fahrenheit."""
    return "21"


call = model.bind_tools([get_current_weather]).invoke(weather_question).tool_calls[0]
assert call["name"] == "get_current_weather" and call["args"]["location"] == weather_arguments["location"], call


class Sum(BaseModel):
    """A sum and its result."""

    first: int
    second: int
    result: int


for method in ("json_schema", "function_calling"):
    assert isinstance(model.with_structured_output(Sum, method=method).invoke("Give the sum of 17 and 25."), Sum)

through_responses = ChatOpenAI(base_url=base_for(quick), api_key=key, model=quick, temperature=0, use_responses_api=True)
is_right(through_responses.invoke(question).text)
