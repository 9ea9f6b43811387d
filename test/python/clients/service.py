"""Where the service is and what it is asked; one door for each run."""

import os

base = os.environ["GATEHOUSE_BASE"]
key = os.environ["GATEHOUSE_KEY"]
door = os.environ["GATEHOUSE_DOOR"]

quick = "beta-4-scout"
thinking = "gamma-oss-120b"

question = "What is 17 plus 25?"
weather_question = "What is the weather in Boston in celsius?"
weather_tool = {
    "type": "function",
    "function": {
        "name": "get_current_weather",
        "description": "Get the current weather",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "The city, e.g. San Francisco"},
                "format": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            },
            "required": ["location", "format"],
        },
    },
}
weather_arguments = {"location": "Boston", "format": "celsius"}


def base_for(model):
    """The direct door has an address for each model, the proxy door one for all."""
    return base.replace("{path}", {"beta-4-scout": "beta-4-scout", "gamma-oss-120b": "gamma-oss-120b"}[model])


def is_right(text):
    assert "42" in text, text
