"""Pydantic AI: an agent with a tool, an agent with a typed result, and Messages."""

from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

from service import base_for, is_right, key, question, quick

model = OpenAIChatModel(quick, provider=OpenAIProvider(base_url=base_for(quick), api_key=key))
is_right(Agent(model, model_settings={"temperature": 0}).run_sync(question).output)

agent = Agent(model, model_settings={"temperature": 0})
asked = []


@agent.tool_plain
def get_current_weather(location: str, format: str) -> str:
    """Get the current weather. The format is celsius or fahrenheit."""
    asked.append(location)
    return '{"temperature": 21, "unit": "celsius"}'


result = agent.run_sync("What is the weather in Boston in celsius?")
assert asked[0] == "Boston", asked
assert "21" in result.output, result.output


class Sum(BaseModel):
    first: int
    second: int
    result: int


typed = Agent(model, output_type=Sum, model_settings={"temperature": 0}).run_sync("Give the sum of 17 and 25.")
assert isinstance(typed.output, Sum)
