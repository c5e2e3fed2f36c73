"""Judging: whether a value fits a schema (JSON Schema 2020-12), and what is wrong when it does not.

Why it is not jsonschema that judges, as it once was: it makes an error of everything that is wrong,
in every alternative, and hands each on level by level. That took up to a second for ten kilobytes
that a model wrote. Now a schema is compiled to functions that only say yes or no (`compiled`), and
what is wrong is looked for where they say no, until there is enough to tell (`explanation`).
jsonschema checks the schemas, and the tests hold these functions to it and to the official suite.
"""

from toolferry.judging.judge import Judge
from toolferry.judging.misfit import Misfit

__all__ = ["Judge", "Misfit"]
