"""What every table of a policy file has in common: no unknown key, and no guessing at values."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator


class Form(BaseModel):
    """A table of the file."""

    # Built when the first file is read: most processes read none, and it takes 30 ms.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class Some(Form):
    """A table that says nothing when it is empty, which nobody can mean."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("it is empty; give one of its keys at least")
        return self
