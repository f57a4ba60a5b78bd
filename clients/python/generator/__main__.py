"""Writes what the client has of the API document: ``python3 -m generator`` in ``clients/python``.

Read are ``docs/openapi.json``, ``docs/errors.md`` and the schemas of ``docs/webhooks``. A test compares the written
files with what this would write (``--check`` does the same and ends with 1 if one is stale).
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Dict, List

from .methods import Method, class_text, methods_of
from .schemas import Types, docstring, pascal

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = Path(__file__).resolve().parents[1] / "telegram_gateway"
NOTE = "# Written by `python3 -m generator` from {source}: change that, not this.\n# mypy: disable-error-code=misc\n"


def written() -> Dict[str, str]:
    """File names below the package, and what belongs into them."""
    document = json.loads((ROOT / "docs/openapi.json").read_text("utf8"))
    types = Types(document["components"]["schemas"])
    types.classes["Reference"] = (
        'class Reference(TypedDict):\n    """Says that it was done, and to what."""\n    id: str\n'
    )
    types._shared.clear()
    for name, schema in types.components.items():
        if name != "Error":
            types.add(name, schema)
    methods = methods_of(document, types)
    uploaded = document["paths"]["/file"]["post"]["responses"]["200"]["content"]["application/json"]["schema"]
    types.add("UploadFileResult", uploaded)
    codes = document["components"]["headers"]["x-error-code"]["schema"]["enum"]
    return {
        "types.py": _types(types),
        "events.py": _events(),
        "_core/error_classes.py": _errors(codes),
        "_core/operations.py": _table(methods),
        "_sync_operations.py": _clients(methods, False),
        "_async_operations.py": _clients(methods, True),
    }


def _types(types: Types) -> str:
    head = NOTE.format(source="docs/openapi.json") + '"""What the gateway takes and answers, by the interface\'s names."""\n\n'
    imports = "from __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, TypedDict, Union\n\n\n"
    return head + imports + types.text()


def _events() -> str:
    """Envelopes of webhooks and readers."""
    types = Types({})
    names = {}
    for path in sorted((ROOT / "docs/webhooks").glob("*.json")):
        schema = json.loads(path.read_text("utf8"))
        name = pascal(path.stem) + "Event"
        names[path.stem] = name
        types.add(name, {key: value for key, value in schema.items() if key not in ("$schema", "description")})
    types.aliases["Event"] = f"Union[{', '.join(names.values())}]"
    types.aliases["EventType"] = f"Literal[{', '.join(repr(name) for name in names)}]"
    types.aliases["Chats"] = "Union[Literal['private', 'groups', 'channels', 'all'], List[str]]"
    head = NOTE.format(source="docs/webhooks/*.json") + '"""The events of webhooks and readers. `event["type"]` tells which one it is."""\n\n'
    imports = "from __future__ import annotations\n\nfrom typing import Any, Dict, List, Literal, TypedDict, Union\n\n\n"
    return head + imports + types.text()


def _errors(codes: List[str]) -> str:
    """A class for each code of docs/errors.md."""
    rows = re.findall(r"^\| `(\w+)` \| ([\d, ]+) \| (.*) \|$", (ROOT / "docs/errors.md").read_text("utf8"), re.M)
    text = NOTE.format(source="docs/errors.md") + '"""One class for each code of docs/errors.md."""\n\n'
    text += "from __future__ import annotations\n\nfrom typing import Dict, Literal, Type\n\nfrom .api_error import ApiError\n"
    classes = {}
    for code, _statuses, meaning in rows:
        if code not in codes:
            continue
        words = "".join(word.capitalize() for word in code.split("_"))
        classes[code] = words if words.endswith("Error") else words + "Error"
        text += f"\n\nclass {classes[code]}(ApiError):\n{docstring(meaning, '    ')}"
    missing = sorted(set(codes) - set(classes))
    if missing:
        raise SystemExit(f"docs/errors.md says nothing of {', '.join(missing)}")
    text += "\n\nERROR_CLASSES: Dict[str, Type[ApiError]] = {\n"
    text += "".join(f"    {code!r}: {name},\n" for code, name in classes.items()) + "}\n"
    text += f"__all__ = {list(classes.values())!r}\n"
    text += f"ErrorCode = Literal[{', '.join(repr(code) for code in classes)}]\n"
    return text


def _table(methods: List[Method]) -> str:
    text = NOTE.format(source="docs/openapi.json") + '"""Every operation: its method, path and way of access, and whether it takes an idempotency key."""\n\n'
    text += "from __future__ import annotations\n\nfrom typing import Dict\n\nfrom .requests import Operation\n\n"
    text += "OPERATIONS: Dict[str, Operation] = {\n"
    seen = {method.operation: method for method in methods}
    for name, one in seen.items():
        text += f"    {name!r}: Operation({one.verb!r}, {one.path!r}, {one.access!r}, {one.is_keyed}),\n"
    return text + "}\n"


def _clients(methods: List[Method], is_async: bool) -> str:
    kind = "Async" if is_async else ""
    text = NOTE.format(source="docs/openapi.json") + '"""The operations of the API as methods."""\n\n'
    iterator = "AsyncIterator" if is_async else "Iterator"
    text += "from __future__ import annotations\n\nfrom typing import "
    text += f"TYPE_CHECKING, Any, Dict, {iterator}, List, Literal, Optional, Union\n\n"
    text += "from ._core.requests import NOT_GIVEN, Arguments, NotGiven, nullable\nfrom .types import (\n"
    names = sorted(set(re.findall(r"\b[A-Z]\w+\b", "\n".join(f"{m.result} {m.item} {m.whole_body} {' '.join(p.type for p in m.parameters)}" for m in methods))))
    known = {"ClientSession", "Any", "Dict", "List", "Literal", "Union", "None", "Optional", "True", "False"}
    literals = set(re.findall(r"'(\w+)'", " ".join(p.type for m in methods for p in m.parameters)))
    text += "".join(f"    {name},\n" for name in names if name not in known and name not in literals) + ")\n\n"
    text += f"if TYPE_CHECKING:\n    from .{'async_client' if is_async else 'client'} import {kind}Session as ClientSession\n\n\n"
    own = [method for method in methods if method.access in ("session", "both", "id-key")]
    others = [method for method in methods if method not in own]
    text += class_text(f"{kind}SessionOperations", own, is_async, "What one session can do.")
    text += "\n\n" + class_text(f"{kind}GatewayOperations", others, is_async, "What is of no single session, or an operator's.")
    return text


def stale() -> List[str]:
    """Names of the files that are not as they would be written."""
    return [
        name
        for name, text in written().items()
        if not (PACKAGE / name).exists() or (PACKAGE / name).read_text("utf8") != text
    ]


if __name__ == "__main__":
    if "--check" in sys.argv:
        for name in stale():
            print(f"{name} is stale: python3 -m generator writes it")
        sys.exit(1 if stale() else 0)
    for file_name, content in written().items():
        (PACKAGE / file_name).write_text(content, "utf8")
