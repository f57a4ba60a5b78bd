"""Operations of the API document to the methods of the clients, blocking and asynchronous."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any, Dict, List

from .schemas import Schema, Types, docstring, pascal, snake

# Streams, files and the pages of people have methods that are written by hand, or none.
LEFT_OUT = {"uploadFile", "getMedia", "metrics", "consoleConfig", "setWebhookByPost"}
# The interface calls these by words that say too little as a method of a session.
RENAMED = {
    "sendMessage": "send",
    "getSession": "get_state",
    "changeSession": "change",
    "resetSession": "reset",
    "deleteSession": "delete",
}
# What the clients make of an answer.
WRAPPED = {"createSession": ("ClientSession", "_session_of")}
NULLABLE_DEFAULT = "NOT_GIVEN"


@dataclass
class Parameter:
    name: str  # as the interface has it
    place: str  # path, query or body
    type: str
    is_required: bool
    is_nullable: bool = False
    text: str = ""


@dataclass
class Method:
    operation: str
    name: str
    verb: str
    path: str
    access: str
    result: str
    summary: str
    is_keyed: bool = False
    parameters: List[Parameter] = field(default_factory=list)
    constants: Dict[str, str] = field(default_factory=dict)
    whole_body: str = ""
    cursor: str = ""
    item: str = ""
    wrapper: str = ""


def access_of(operation: Dict[str, Any]) -> str:
    """How a request proves itself: ``none``, ``key``, ``session`` (or a key instead), ``both`` of them, ``id-key``."""
    ways = [set(way) for way in operation.get("security", [])]
    if not ways:
        return "none"
    if {"id", "session-id"} in ways:
        return "session"
    if any("session-id" in way for way in ways):
        return "both"
    return "id-key" if any("id" in way for way in ways) else "key"


def methods_of(document: Dict[str, Any], types: Types) -> List[Method]:
    """All methods, in the order of the document."""
    methods: List[Method] = []
    for path, operations in document["paths"].items():
        for verb, operation in operations.items():
            name = operation["operationId"]
            content = operation["responses"]["200"].get("content", {})
            if name in LEFT_OUT or path.startswith("/link/") or "application/json" not in content:
                continue
            if path == "/session/messages":  # a WebSocket
                continue
            methods += _methods(path, verb.upper(), operation, document, types)
    return methods


def _methods(path: str, verb: str, operation: Dict[str, Any], document: Dict[str, Any], types: Types) -> List[Method]:
    name = operation["operationId"]
    shared = document["components"]["parameters"]
    parameters = [shared[p["$ref"].rsplit("/", 1)[1]] if "$ref" in p else p for p in operation.get("parameters", [])]
    answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
    is_reference = set(answer.get("properties", {})) == {"id"}
    result = types.expression(answer, "Reference" if is_reference else pascal(name) + "Result", f"{name} result")
    if is_reference:
        result = "Reference"
    wrapper = ""
    if name in WRAPPED:
        result, wrapper = WRAPPED[name]
    method = Method(
        wrapper=wrapper,
        operation=name,
        name=RENAMED.get(name, snake(name)),
        verb=verb,
        path=path,
        access=access_of(operation),
        result=result,
        summary=_text(operation, f"{verb} {path}"),
        is_keyed=any(p["name"] == "idempotency-key" for p in parameters),
    )
    for parameter in parameters:
        if parameter["in"] in ("path", "query"):
            schema = parameter["schema"]
            is_flag = schema.get("enum") == ["true", "false"]
            kind = "bool" if is_flag else types.expression(schema, pascal(name) + pascal(parameter["name"]))
            needed = bool(parameter.get("required"))
            method.parameters.append(Parameter(parameter["name"], parameter["in"], kind, needed, text=_of(parameter)))
    _add_pages(method, answer, types)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is None:
        return [method]
    kinds = types.resolve(body).get("discriminator", {}).get("mapping", {})
    if not kinds:
        method.parameters += _fields(body, pascal(name), types)
        return [method]
    method.whole_body = types.expression(body, pascal(name) + "Body")
    return [method] + [_of_kind(method, kind, reference, types) for kind, reference in kinds.items()]


def _of_kind(method: Method, kind: str, reference: str, types: Types) -> Method:
    """The method of one type of message: ``send_text``."""
    schema = types.components[reference.rsplit("/", 1)[1]]
    fields = [one for one in _fields(schema, reference.rsplit("/", 1)[1], types) if one.name != "type"]
    return replace(
        method,
        name=f"{method.name}_{snake(kind)}",
        summary=f"{method.summary.splitlines()[0][:-1]}: {kind}.\n\n{method.verb} {method.path}",
        parameters=fields,
        constants={"type": kind},
        whole_body="",
    )


def _fields(schema: Schema, name: str, types: Types) -> List[Parameter]:
    properties, required = types.fields(schema)
    return [
        Parameter(
            field_name,
            "body",
            types.expression(value, name + pascal(field_name), field_name),
            field_name in required,
            isinstance(value.get("type"), list) and "null" in value["type"],
            _of(value),
        )
        for field_name, value in properties.items()
    ]


def _add_pages(method: Method, answer: Schema, types: Types) -> None:
    """A list with a cursor is read in pages."""
    properties = answer.get("properties", {})
    names = {parameter.name for parameter in method.parameters}
    for cursor in ("after", "before"):
        if "docs" in properties and cursor in properties and cursor in names:
            method.cursor = cursor
            method.item = types.expression(properties["docs"]["items"], method.result + "DocsItem", "docs")


def _text(operation: Dict[str, Any], title: str) -> str:
    return f"{operation['summary']}.\n\n{title}"


def _of(described: Dict[str, Any]) -> str:
    return " ".join(str(described.get("description", "")).split())


def class_text(name: str, methods: List[Method], is_async: bool, doc: str) -> str:
    """A class that has the methods; ``_call`` and ``_pages`` are those of the client that inherits it."""
    head = f"class {name}:\n{docstring(doc, '    ')}\n"
    parts = [_method_text(method, is_async) for method in methods]
    parts += [_pages_text(method, is_async) for method in methods if method.cursor]

    def hook(methods: List[Method]) -> str:
        wrappers = {method.wrapper: method.result for method in methods if method.wrapper}
        return "".join(
            f"    def {name}(self, created: Any) -> {result}:\n        raise NotImplementedError\n\n"
            for name, result in wrappers.items()
        )

    hooks = (
        f"    {'async ' if is_async else ''}def _call(self, operation: str, arguments: Arguments) -> Any:\n"
        "        raise NotImplementedError\n\n"
        + hook(methods)
        + f"    def _pages(self, operation: str, cursor: str, arguments: Arguments) -> {_iterator(is_async)}[Any]:\n"
        "        raise NotImplementedError\n"
    )
    return head + "\n".join([hooks, *parts])


def _iterator(is_async: bool) -> str:
    return "AsyncIterator" if is_async else "Iterator"


def _signature(method: Method, left_out: str = "") -> str:
    shown = [one for one in method.parameters if one.name != left_out]
    needed = [f"{snake(one.name)}: {one.type}" for one in shown if one.is_required]
    free = [_free(one) for one in shown if not one.is_required]
    if method.whole_body:
        needed.append(f"message: {method.whole_body}")
    if method.is_keyed:
        free.append("idempotency_key: Optional[str] = None")
    return ", ".join(["self", *needed, *(["*", *free] if free else [])])


def _free(one: Parameter) -> str:
    if one.is_nullable:
        return f"{snake(one.name)}: Union[{one.type}, NotGiven] = {NULLABLE_DEFAULT}"
    return f"{snake(one.name)}: Optional[{one.type}] = None"


def _arguments(method: Method, left_out: str = "") -> str:
    """The call's arguments: by their place, under the names of the interface."""
    parts = []
    for place in ("path", "query", "body"):
        entries = [f"{one.name!r}: {_value(one)}" for one in method.parameters if one.place == place != ""]
        entries = [entry for entry in entries if not left_out or not entry.startswith(f"{left_out!r}:")]
        if place == "body":
            entries = [f"{name!r}: {value!r}" for name, value in method.constants.items()] + entries
        if place == "body" and method.whole_body:
            parts.append("body=message")
        elif entries:
            parts.append(f"{place}={{{', '.join(entries)}}}")
    if method.is_keyed:
        parts.append("idempotency_key=idempotency_key")
    return f"Arguments({', '.join(parts)})"


def _value(one: Parameter) -> str:
    # None is left out; where the interface has null, it is sent.
    return f"nullable({snake(one.name)})" if one.is_nullable else snake(one.name)


def _method_text(method: Method, is_async: bool) -> str:
    lead = "async " if is_async else ""
    call = f"{'await ' if is_async else ''}self._call({method.operation!r}, {_arguments(method)})"
    if method.wrapper:
        call = f"self.{method.wrapper}({call})"
    return (
        f"    {lead}def {method.name}({_signature(method)}) -> {method.result}:\n"
        f"{docstring(_documented(method), '        ')}"
        f"        result: {method.result} = {call}\n"
        "        return result\n"
    )


def _documented(method: Method) -> str:
    lines = [f":param {snake(one.name)}: {one.text}" for one in method.parameters if one.text]
    if method.is_keyed:
        lines.append(":param idempotency_key: Makes one of many requests. Left out: a new one for this call.")
    return method.summary + ("\n\n" + "\n".join(lines) if lines else "")


def _pages_text(method: Method, is_async: bool) -> str:
    name = re.sub("^list_|^search_", lambda found: "iter_" if found[0] == "list_" else "iter_found_", method.name)
    return (
        f"    def {name}({_signature(method, method.cursor)}) -> {_iterator(is_async)}[{method.item}]:\n"
        f"{docstring(method.summary.splitlines()[0] + ' One after the other, over all pages.', '        ')}"
        f"        return self._pages({method.operation!r}, {method.cursor!r}, {_arguments(method, method.cursor)})\n"
    )
