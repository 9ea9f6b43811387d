"""Jupyter AI: its magics in a notebook's shell, without a page."""

import os

from IPython.core.interactiveshell import InteractiveShell

from service import base_for, is_right, key, question, quick

# The way its handbook has for a server of one's own that speaks OpenAI's dialect.
os.environ["OPENAI_API_KEY"] = key
os.environ["OPENAI_BASE_URL"] = base_for(quick)

shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "jupyter_ai_magics")
answer = shell.run_cell_magic("ai", f"openai-chat:{quick} --format text", question)
is_right(answer.text)

# What a cell has said before belongs to the conversation, and variables of the notebook to the question.
shell.user_ns["numbers"] = "17 and 25"
is_right(shell.run_cell_magic("ai", f"openai-chat:{quick} --format text", "What is the sum of {numbers}?").text)
