"""The API's own documentation: an OpenAPI document for generating clients, and a page that works offline.

The page is Swagger UI from the wheel `fastapi-offline`, so nothing is loaded from elsewhere. Keys are typed into its
Authorize button and kept in the page's memory only.
"""

from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Response
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

BEARER, KEY = "operator", "service"

_SCHEMES = {
    BEARER: {
        "type": "http",
        "scheme": "bearer",
        "description": "The operator's token at the venue, as the venue gave it. `make run` takes `demo-operator`.",
    },
    KEY: {
        "type": "apiKey",
        "in": "header",
        "name": "X-Service-Key",
        "description": "The key that this service shares with its callers (IQ_SERVICE_KEY), where it has one.",
    },
}
_HEADERS = {"authorization": BEARER, "x-service-key": KEY}
"""OpenAPI 3.1 forbids these as header parameters, and Swagger UI ignores what is typed there."""

OPERATIONS = {
    "GET /v1/actions": "list_actions",
    "POST /v1/actions/refresh": "refresh_actions",
    "POST /v1/ag-ui": "run_ag_ui",
    "GET /v1/ag-ui/capabilities": "get_ag_ui_capabilities",
    "GET /v1/day": "get_day",
    "GET /v1/escalations": "list_escalations",
    "GET /v1/escalations/{escalation_id}": "get_escalation",
    "POST /v1/escalations/{escalation_id}/resolve": "resolve_escalation",
    "GET /v1/modes": "get_modes",
    "PUT /v1/modes/{kind}/{name}": "set_mode",
    "GET /v1/plans": "list_plans",
    "GET /v1/plans/{plan_id}": "get_plan",
    "POST /v1/plans/{plan_id}/answers": "answer_plan",
    "POST /v1/plans/{plan_id}/cancel": "cancel_plan",
    "POST /v1/plans/{plan_id}/confirm": "confirm_plan",
    "GET /v1/plans/{plan_id}/events": "watch_plan",
    "POST /v1/plans/{plan_id}/steps/{step}/skip": "skip_step",
    "POST /v1/plans/{plan_id}/undo": "undo_plan",
    "POST /v1/requests": "send_message",
    "GET /v1/sessions/{session_id}": "get_session",
    "GET /v1/sessions/{session_id}/debug": "debug_session",
    "GET /v1/sessions/{session_id}/events": "watch_session",
    "GET /v1/sessions/{session_id}/messages": "list_messages",
    "POST /v1/tickets": "issue_ticket",
    "GET /v1/usage": "get_usage",
    "GET /healthz": "get_health",
    "GET /readyz": "get_readiness",
    "GET /metrics": "get_metrics",
    "POST /page/enter": "enter_page",
    "GET /page/session": "get_page_session",
    "POST /page/session": "start_demo_session",
    "DELETE /page/session": "end_page_session",
    "GET /staff/session": "get_staff_session",
    "POST /staff/session": "start_staff_session",
    "DELETE /staff/session": "end_staff_session",
}
"""The operation ids for generated clients, by method and path. They are part of the contract."""

_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        # Swagger UI writes styles into its elements.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>iQ booking updates: API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="icon" href="icon.svg">
</head>
<body>
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
"""
_START = """SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIBundle.SwaggerUIStandalonePreset],
});
"""
_ASSETS = ("swagger-ui-bundle.js", "swagger-ui.css")


def operation_id(route: APIRoute) -> str:
    """Return the operation id for generated clients."""
    method = sorted(route.methods or ())[0]
    path = route.path_format
    return next(
        (named for known, named in OPERATIONS.items() if known in (f"{method} {path}", f"{method} /v1{path}")),
        route.name,
    )


def add_documentation(app: FastAPI, *, needs_key: bool) -> None:
    """Serve the page at `/docs`, and add the sign-in to `/openapi.json`. `needs_key`: whether callers must send the
    service key."""
    assets = StaticFiles(directory=str(files("fastapi_offline") / "static"))
    generated = app.openapi

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            _say_how_to_sign_in(generated(), needs_key=needs_key)
        assert app.openapi_schema is not None
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]

    async def page(_: Any) -> Response:
        return HTMLResponse(_PAGE, headers={"Content-Security-Policy": _POLICY})

    async def start(_: Any) -> Response:
        return Response(_START, media_type="text/javascript")

    app.add_route("/docs", page, methods=["GET"], include_in_schema=False)
    app.add_route("/docs/start.js", start, methods=["GET"], include_in_schema=False)
    for name in _ASSETS:
        app.add_route(f"/docs/{name}", _asset(assets, name), methods=["GET"], include_in_schema=False)


def _asset(assets: StaticFiles, name: str) -> Any:
    async def give(request: Any) -> Response:
        return await assets.get_response(name, request.scope)

    return give


def _say_how_to_sign_in(document: dict[str, Any], *, needs_key: bool) -> None:
    """Turn the sign-in headers of each operation into security requirements (OpenAPI 3.1, Security Requirement Object:
    the schemes of one object are required together)."""
    document["servers"] = [{"url": "/"}]
    document.setdefault("components", {})["securitySchemes"] = _SCHEMES
    for operations in document["paths"].values():
        for operation in operations.values():
            parameters = operation.get("parameters", [])
            headers = {p["name"].lower() for p in parameters if p["in"] == "header"}
            kept = [p for p in parameters if p["in"] != "header" or p["name"].lower() not in _HEADERS]
            if parameters and kept:
                operation["parameters"] = kept
            else:
                operation.pop("parameters", None)
            operation["security"] = requirements(
                {_HEADERS[name] for name in headers & set(_HEADERS)}, needs_key=needs_key
            )
            if operation["operationId"] == "list_plans" and needs_key:
                # Without an operator: the plans of a venue.
                operation["security"].append({KEY: []})


def requirements(schemes: set[str], *, needs_key: bool) -> list[dict[str, list[str]]]:
    """Return the alternatives of which a caller must meet one."""
    if not schemes:
        return []
    if needs_key:
        return [{scheme: [] for scheme in sorted(schemes)}]
    return [{BEARER: []}] if BEARER in schemes else [{KEY: []}, {}]
