"""instructor: objects out of answers, by tools and by a schema."""

import instructor
import openai
from pydantic import BaseModel

from service import base_for, key, quick


class Sum(BaseModel):
    first: int
    second: int
    result: int


for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA):
    client = instructor.from_openai(openai.OpenAI(base_url=base_for(quick), api_key=key), mode=mode)
    made = client.chat.completions.create(
        model=quick,
        response_model=Sum,
        temperature=0,
        messages=[{"role": "user", "content": "Give the sum of 17 and 25."}],
    )
    assert isinstance(made, Sum), made
