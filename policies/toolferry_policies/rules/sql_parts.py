"""The kinds of parts that a statement which only reads may have. Needs sqlglot.

A kind that is not listed is refused: what a later release of the parser learns to read is not
allowed by that.
"""

from __future__ import annotations

from typing import Final

from sqlglot import exp

#: Parts besides functions and operators.
_PARTS: Final = (
    *(exp.Select, exp.SetOperation, exp.Subquery, exp.CTE, exp.With, exp.Values, exp.Tuple),
    *(exp.From, exp.Join, exp.Lateral, exp.Table, exp.TableAlias, exp.TableSample),
    *(exp.Where, exp.Group, exp.Having, exp.Qualify, exp.Order, exp.Ordered, exp.Distinct),
    *(exp.Limit, exp.LimitOptions, exp.Fetch, exp.Offset, exp.Rollup, exp.Cube, exp.GroupingSets),
    *(exp.Alias, exp.Aliases, exp.Identifier, exp.Column, exp.Star, exp.Var, exp.Paren),
    *(exp.Literal, exp.National, exp.HexString, exp.BitString, exp.Null, exp.Boolean),
    *(exp.Interval, exp.IntervalSpan, exp.DataType, exp.DataTypeParam, exp.AtTimeZone),
    *(exp.Between, exp.In, exp.Any, exp.All, exp.Not, exp.Neg, exp.BitwiseNot, exp.Bracket),
    *(exp.Window, exp.WindowSpec, exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls),
    *(exp.JSONPath, exp.JSONPathPart, exp.JSONKeyValue, exp.Lambda, exp.HavingMax, exp.Slice),
)
#: Operators, each by itself: `:=` and named arguments are operators to the parser as well.
_OPERATORS: Final = (
    *(exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.DPipe, exp.Escape, exp.Glob),
    *(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ, exp.Is),
    *(exp.Like, exp.ILike, exp.SimilarTo, exp.Overlaps, exp.Distance, exp.Adjacent),
    *(exp.BitwiseAnd, exp.BitwiseOr, exp.BitwiseXor),
    *(exp.BitwiseLeftShift, exp.BitwiseRightShift),
)
#: Functions that the parser knows and that reach out of a query: into files, models, sequences, or
#: that run text as code.
_REACHING: Final = """
    AIAgg AIClassify AIEmbed AIForecast AIGenerate AISimilarity AISummarizeAgg Apply Columns
    Decrypt DecryptRaw DynamicIdentifier Encrypt EncryptRaw FeaturesAtTime GenerateBool
    GenerateDouble GenerateEmbedding GenerateInt GenerateTable GenerateText Generator
    MLForecast MLTranslate NetFunc NextValueFor ObjectId OpenJSON Predict ReadCSV ReadParquet
    SafeFunc Search Secret ToFile VectorSearch XMLTable
"""
DENIED_FUNCTIONS: Final = frozenset(_REACHING.split())
#: Functions that the parser does not know and that do no harm.
_HARMLESS: Final = """
    array_length array_position array_to_json age bool_and bool_or cardinality clock_timestamp
    date_part div dayname epoch field format hypot iif ifnull instr isfinite
    json_agg json_array_length json_build_array json_build_object json_each json_each_text
    json_object_agg json_type json_typeof jsonb_agg jsonb_array_elements jsonb_array_length
    jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_object_agg
    jsonb_object_keys jsonb_path_query jsonb_typeof julianday locate lpad ltrim
    make_date make_time make_timestamp monthname num_nonnulls num_nulls numrange octet_length
    plainto_tsquery printf quote_ident quote_literal regexp_matches regexp_split_to_array
    regexp_split_to_table row row_to_json rpad rtrim strftime string_to_table to_date to_json
    to_jsonb to_tsquery to_tsvector total trim_scale ts_headline ts_rank ts_rank_cd
    websearch_to_tsquery
"""
KNOWN_FUNCTIONS: Final = frozenset(_HARMLESS.split())


def complaint_about(tree: exp.Expr, functions: frozenset[str]) -> str:
    """Say what is expected in place of the first part that may not be there; nothing when all may.

    Args:
        tree: The statement.
        functions: Names of further functions that may be called, in small letters.
    """
    for part in tree.walk():
        complaint = _about_part(part, functions)
        if complaint:
            return complaint
    return ""


def _about_part(part: exp.Expr, functions: frozenset[str]) -> str:
    if isinstance(part, exp.Select) and part.args.get("operation_modifiers"):
        return "a SELECT without modifiers"
    if isinstance(part, exp.Anonymous | exp.AnonymousAggFunc):
        name = str(part.name).lower()
        is_known = name in functions or name in KNOWN_FUNCTIONS
        return "" if is_known else f"SQL without the function {name:.60}"
    if isinstance(part, exp.Func) and not isinstance(part, exp.Dot):
        name = type(part).__name__
        return f"SQL without the function {part.sql_name()}" if name in DENIED_FUNCTIONS else ""
    if isinstance(part, exp.Dot):
        return _about_dot(part, functions)
    return "" if isinstance(part, _PARTS + _OPERATORS) else _plain_name(part)


def _about_dot(part: exp.Dot, functions: frozenset[str]) -> str:
    # A function of a schema is somebody's own, even when it has the name of a known one.
    call = part.expression
    if not isinstance(call, exp.Func) or call.name.lower() in functions:
        return ""
    return "SQL without functions of a schema"


def _plain_name(part: exp.Expr) -> str:
    return f"a SELECT without {type(part).__name__.upper()}"
