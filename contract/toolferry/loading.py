"""Loading tools: from the name of a module to a registry."""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from toolferry.errors import ConfigurationError
from toolferry.extensions import NO_EXTENSIONS
from toolferry.lifespans import check_all
from toolferry.registry import Registry

_NO_TOOLS: Final = "it holds no tools: decorate functions with @tool, or fill a `registry`"

#: Frames of these belong to Python itself, and tell nobody what is wrong with a module.
_MACHINERY = ("importlib", "<frozen ")


def load_tools(names: str) -> Registry:
    """Import modules by name and collect their tools and lifespans.

    The current folder is searched first, as with `python -m`.

    Args:
        names: Names of modules, such as `mytools` or `shop.tools`, separated by commas.

    Returns:
        The one module's own `registry` where it has one, else a new one with all of it.

    Raises:
        ConfigurationError: A module cannot be imported (names the file and the last line of its
            traceback), or holds no tools.
        ToolInvalid: Two modules have different tools of one name, or one is not sound.
        LifespanInvalid: A lifespan needs what nobody provides, or two provide the same.
    """
    wanted = [name.strip() for name in names.split(",") if name.strip()]
    registries = [_load(name) for name in wanted]
    if not registries:
        raise ConfigurationError("tools", "no module is named: give one that holds your tools")
    registry = registries[0] if len(registries) == 1 else _merged(registries)
    check_all(registry.lifespans)
    if not len(registry):
        raise ConfigurationError(f"tools module {names}", _NO_TOOLS)
    return registry


def _merged(registries: Sequence[Registry]) -> Registry:
    tools = {id(one): one for registry in registries for one in registry}
    lifespans = {id(one): one for registry in registries for one in registry.lifespans}
    merged = Registry(tools.values(), lifespans.values())
    merged.extensions = sum((one.extensions for one in registries), NO_EXTENSIONS)
    for registry in registries:
        for name, profile in registry.profiles.items():
            merged.add_profile(name, profile)
    return merged


def _load(name: str) -> Registry:
    if name.endswith(".py") or "/" in name:
        module = Path(name).with_suffix("").as_posix().replace("/", ".").lstrip(".")
        raise ConfigurationError(
            f"tools module {name}", f"give the module's name, not its file: {module}"
        )
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    registry = _import(name)
    if not len(registry) and not registry.lifespans and not registry.extensions:
        raise ConfigurationError(f"tools module {name}", _NO_TOOLS)
    return registry


def _import(name: str) -> Registry:
    try:
        module = importlib.import_module(name)
    except (Exception, SystemExit) as error:  # a module may raise anything while it is imported
        raise ConfigurationError(f"tools module {name}", _sentence(error)) from error
    return Registry.from_module(module)


def _sentence(error: BaseException) -> str:
    last = traceback.format_exception_only(error)[-1].strip()
    return f"it cannot be imported: {last}{_where(error)}"


def _where(error: BaseException) -> str:
    if isinstance(error, SyntaxError):
        return f" ({error.filename}, line {error.lineno})"
    frames = traceback.extract_tb(error.__traceback__)
    own = [one for one in frames if not _is_machinery(one.filename)]
    return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""


def _is_machinery(filename: str) -> bool:
    ours = Path(filename).parent == Path(__file__).parent
    return ours or any(word in filename for word in _MACHINERY)
