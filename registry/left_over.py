"""The body of an operation whose parameters Swagger 2.0 wrote: `in: body` and `in: formData`, which OpenAPI 3 has not.

Documents that a tool converted by halves still have them; what they mean is plain (Swagger 2.0, Parameter Object).
"""

from contracts.base import Node, Parts

LEFT_OVER = ("body", "formData")
_FORM = ("application/x-www-form-urlencoded", "multipart/form-data")
_FRAME = ("name", "in", "required", "description")


def body_left_over(rows: list[Parts]) -> Parts:
    """A request body as OpenAPI 3 writes it, of the parameters left over."""
    whole = next((row for row in rows if row["in"] == "body"), None)
    if whole is not None:
        # Half a conversion loses `required` first, and a write without what it writes is none.
        return {
            "required": whole.get("required") is not False,
            "content": {"application/json": {"schema": whole.get("schema", {})}},
        }
    fields: Parts = {str(row["name"]): _field(row) for row in rows}
    required: list[Node] = [str(row["name"]) for row in rows if row.get("required") is True]
    sent = any(row.get("type") == "file" for row in rows)
    schema: Parts = {"type": "object", "properties": fields, "required": required}
    return {"required": bool(required), "content": {_FORM[sent]: {"schema": schema}}}


def formless(rows: list[Parts]) -> list[str]:
    """Whole bodies of which nothing says what they hold, in words."""
    names = [str(row["name"]) for row in rows if row["in"] == "body" and not row.get("schema")]
    return [f"what the body ({name}) holds: its `in: body`, of Swagger 2.0, has no `schema`" for name in names]


def _field(row: Parts) -> Parts:
    said = {key: value for key, value in row.items() if key not in _FRAME and key != "schema"}
    if said.get("type") == "file":
        said = {**said, "type": "string", "format": "binary"}
    written = row.get("schema")
    described: Parts = {"description": row["description"]} if row.get("description") else {}
    return {**(written if isinstance(written, dict) else {}), **said, **described} or {"type": "string"}
