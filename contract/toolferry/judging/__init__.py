"""Judging: whether a value fits a schema (JSON Schema 2020-12), and what is wrong when it does not.

A schema is compiled to functions that only say yes or no (`compiled`). Where they say no, what is
wrong is looked for, by the alternative that was meant, until there are 200 misfits (`explanation`).

It is not jsonschema that judges, as that makes an error of everything that is wrong in every
alternative and hands each on level by level: up to a second for ten kilobytes that a model wrote.
It checks the schemas, and the tests hold these functions to it and to the official suite.
"""

from toolferry.judging.judge import Judge
from toolferry.judging.misfit import Misfit

__all__ = ["Judge", "Misfit"]
