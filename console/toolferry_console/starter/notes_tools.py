"""Two tools for a model, over a file of notes. Put your own in their place.

The first paragraph of a docstring is what a model reads: what the tool does, what it does not do,
and when to use it. Type hints and `Args` become the schema of the arguments.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from toolferry import EffectClass, ToolContext, tool

#: The notes, one JSON object a line: {"id": str, "text": str}.
NOTES = Path(__file__).with_name("notes.jsonl")


@tool(display="Find notes with {words}", resource="notes", examples=[{"words": "rope"}])
async def notes_find(
    words: Annotated[str, Field(min_length=2, max_length=80)],
    limit: Annotated[int, Field(ge=1, le=20)] = 5,
) -> list[dict[str, str]]:
    """Find notes by the words in them, the newest first. Does not change notes, and does not know
    synonyms. Use it before you answer a question about what was noted, or add a note that may be
    there already.

    Args:
        words: Words that the note contains, all of them, in any order; case does not count.
        limit: How many notes at the most.
    """
    wanted = words.lower().split()
    notes = await asyncio.to_thread(read_notes)
    found = [note for note in notes if all(word in note["text"].lower() for word in wanted)]
    return found[: -limit - 1 : -1]


@tool(
    display="Note: {text}",
    resource="notes",
    examples=[{"text": "The rope is in the red box."}],
    effect=EffectClass.WRITE,
    idempotent=True,
    permissions={"notes:write"},
)
def notes_add(
    text: Annotated[str, Field(min_length=1, max_length=500)], ctx: ToolContext
) -> dict[str, str]:
    """Add one note to those that are kept. Does not change or remove any note. Use it when the user
    asks to remember something.

    Args:
        text: What to remember, one sentence that can be understood by itself.
        ctx: Tells one call from another, so that the same call adds its note only once.
    """
    note = {"id": ctx.idempotency_key, "text": text}
    if note not in read_notes():
        with NOTES.open("a", encoding="utf-8") as file:
            file.write(json.dumps(note) + "\n")
    return note


def read_notes() -> list[dict[str, str]]:
    """Read all notes, the oldest first."""
    if not NOTES.exists():
        return []
    return [json.loads(line) for line in NOTES.read_text(encoding="utf-8").splitlines()]
