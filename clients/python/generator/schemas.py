"""JSON Schema to Python types: objects become TypedDicts, enumerations become Literals."""

from __future__ import annotations

import json
import keyword
import re
from typing import Any, Dict, List, Tuple

Schema = Dict[str, Any]


def snake(name: str) -> str:
    """``messageId`` → ``message_id``; what Python reserves gets an underscore behind it."""
    text = re.sub(r"[^0-9A-Za-z]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)).lower()
    return text + "_" if keyword.iskeyword(text) else text


def pascal(name: str) -> str:
    """``messageId`` → ``MessageId``, ``session.login-lost`` → ``SessionLoginLost``."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^0-9A-Za-z]+", name) if part)


def docstring(text: str, indent: str) -> str:
    """Text as a docstring of one or several lines, indented."""
    text = text.replace("\\", "\\\\").replace('"""', "'''").strip()
    lines = text.split("\n")
    if len(lines) == 1:
        return f'{indent}"""{lines[0]}"""\n'
    body = "".join(f"{indent}{line}".rstrip() + "\n" for line in lines[1:])
    return f'{indent}"""{lines[0]}\n{body}{indent}"""\n'


class Types:
    """Collects the definitions that the types of a document need. References are those of ``components/schemas``."""

    def __init__(self, components: Dict[str, Schema]) -> None:
        self.components = components
        self.classes: Dict[str, str] = {}
        self.aliases: Dict[str, str] = {}
        self._shared: Dict[Tuple[str, str], str] = {}

    def resolve(self, schema: Schema) -> Schema:
        reference = schema.get("$ref")
        return schema if reference is None else self.components[reference.rsplit("/", 1)[1]]

    def add(self, name: str, schema: Schema) -> None:
        """Defines a named type: a class for an object, an alias for anything else."""
        if self._is_object(schema):
            self._add_class(name, schema)
        else:
            self.aliases[name] = self.expression(schema, name)

    def expression(self, schema: Schema, name: str, shared_as: str = "") -> str:
        """A type expression. ``name`` is what an object inside is called, ``shared_as`` what others like it share."""
        if "$ref" in schema:
            return str(schema["$ref"].rsplit("/", 1)[1])
        if "const" in schema:
            return f"Literal[{schema['const']!r}]"
        if "enum" in schema:
            return f"Literal[{', '.join(repr(value) for value in schema['enum'])}]"
        kind = schema.get("type")
        if isinstance(kind, list):
            rest = [self.expression({**schema, "type": one}, name, shared_as) for one in kind if one != "null"]
            return f"Union[{', '.join(rest + ['None'])}]"
        if self._is_object(schema):
            return self._inline(schema, name, shared_as)
        for word in ("oneOf", "anyOf"):
            if word in schema:
                options = [self.expression(option, name, shared_as) for option in schema[word]]
                return f"Union[{', '.join(dict.fromkeys(options))}]"
        if kind == "array":
            return f"List[{self.expression(schema.get('items', {}), name + 'Item', shared_as)}]"
        if kind == "object":
            values = schema.get("additionalProperties")
            inner = self.expression(values, name + "Value") if isinstance(values, dict) else "Any"
            return f"Dict[str, {inner}]"
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
        return plain.get(str(kind), "Any")

    def fields(self, schema: Schema) -> Tuple[Dict[str, Schema], List[str]]:
        """Properties of an object and the names of those that are required; parts of ``allOf`` are put together."""
        schema = self.resolve(schema)
        properties: Dict[str, Schema] = dict(schema.get("properties", {}))
        required: List[str] = list(schema.get("required", []))
        for part in schema.get("allOf", []):
            more, also = self.fields(part)
            properties.update({name: value for name, value in more.items() if name not in properties})
            required += also
        # One of several: none of them alone is required.
        for option in schema.get("anyOf", []):
            more, _ = self.fields(option)
            properties.update({name: value for name, value in more.items() if name not in properties})
        return properties, required

    def text(self) -> str:
        """All definitions. Aliases come last: Python evaluates them."""
        aliases = [f"{name} = {_quoted(value, self.classes)}\n" for name, value in self.aliases.items()]
        return "\n\n".join(self.classes.values()) + ("\n\n" + "\n".join(aliases) if aliases else "")

    def _is_object(self, schema: Schema) -> bool:
        if schema.get("properties") or "allOf" in schema:
            return True
        options = schema.get("anyOf", [])
        names = [name for option in options for name in option.get("properties", {})]
        return bool(names) and all("properties" in option for option in options) and len(set(names)) == len(names)

    def _inline(self, schema: Schema, name: str, shared_as: str) -> str:
        key = (shared_as, json.dumps(_undescribed(schema), sort_keys=True))
        if key not in self._shared:
            while name in self.classes or name in self.components:
                name += "_"
            self._shared[key] = name
            self._add_class(name, schema)
        return self._shared[key]

    def _add_class(self, name: str, schema: Schema) -> None:
        self.classes[name] = ""  # keeps its place: what it holds is defined behind it
        properties, required = self.fields(schema)
        typed = {field: self.expression(value, name + pascal(field), field) for field, value in properties.items()}
        described = docstring(schema["description"], "    ") if "description" in schema else ""
        if any(not field.isidentifier() or keyword.iskeyword(field) for field in typed):
            self.classes[name] = self._functional(name, typed, required)
            return
        needed = [field for field in typed if field in required]
        free = [field for field in typed if field not in required]

        def lines(fields: List[str]) -> str:
            texts = []
            for field in fields:
                texts.append(f"    {field}: {typed[field]}\n")
                if "description" in properties[field]:
                    texts.append(docstring(properties[field]["description"], "    "))
            return "".join(texts)

        if needed and free:
            base = f"class _{name}Required(TypedDict):\n{lines(needed)}\n\n"
            self.classes[name] = f"{base}class {name}(_{name}Required, total=False):\n{described}{lines(free)}"
        else:
            total = "TypedDict" if needed else "TypedDict, total=False"
            self.classes[name] = f"class {name}({total}):\n{described}{lines(needed or free) or '    pass'}"

    def _functional(self, name: str, typed: Dict[str, str], required: List[str]) -> str:
        """The other form of a TypedDict: a key may be a word that Python reserves."""
        entries = "".join(f"        {field!r}: {value!r},\n" for field, value in typed.items() if field in required)
        free = "".join(f"        {field!r}: {value!r},\n" for field, value in typed.items() if field not in required)
        if not free:
            return f"{name} = TypedDict(\n    {name!r},\n    {{\n{entries}    }},\n)\n"
        if not entries:
            return f"{name} = TypedDict(\n    {name!r},\n    {{\n{free}    }},\n    total=False,\n)\n"
        base = f"_{name}Required = TypedDict(\n    '_{name}Required',\n    {{\n{entries}    }},\n)\n\n\n"
        body = "".join(f"    {field}: {value}\n" for field, value in typed.items() if field not in required)
        return f"{base}class {name}(_{name}Required, total=False):\n{body}"


def _undescribed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _undescribed(inner) for key, inner in value.items() if key != "description" or _is_schema(inner)}
    return [_undescribed(inner) for inner in value] if isinstance(value, list) else value


def _is_schema(value: Any) -> bool:
    """Whether ``description`` is the name of a property here, and no description."""
    return isinstance(value, dict)


def _quoted(expression: str, classes: Dict[str, str]) -> str:
    """References to classes in quotes."""
    return re.sub(r"\b\w+\b", lambda found: repr(found[0]) if found[0] in classes else found[0], expression)
