"""`python -m tests.integration.infra.bombed LAYERS`: the venue client reads from a real server half a gigabyte of
zeros, in this many layers of gzip. Prints {"sent": bytes, "refused": why, "grown": MiB that the peak memory grew}.
"""

import asyncio
import gzip
import json
import resource
import sys
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from clients.venue.client import VenueClient
from clients.venue.errors import VenueError
from contracts.credentials import HttpRequest
from infra.crypto.keyring import new_key_line, parse_ring
from infra.observability.observer import Observer
from infra.stores.store import Store
from infra.stores.token_vault import Vault


def bomb(layers: int) -> bytes:
    """Return 2**29 zeros, compressed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    body = b"".join(packer.compress(bytes(2**20)) for _ in range(2**9)) + packer.flush()
    return body if layers == 1 else gzip.compress(body, 9)


def serve(body: bytes, layers: int) -> int:
    """Serve this answer; return the port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.headers["accept-encoding"] == "identity"
            self.send_response(200)
            self.send_header("content-encoding", ", ".join(["gzip"] * layers))
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            try:
                self.wfile.write(body)
            except OSError:
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return int(server.server_address[1])


async def asked(port: int) -> str:
    """Return why the client rejects the answer."""
    client = VenueClient(Vault(Store(), parse_ring(new_key_line())), Observer(), timeout=30)
    try:
        await client.send_with_token(f"http://127.0.0.1:{port}", HttpRequest(method="GET", path="/x"), "token")
    except VenueError as refused:
        return refused.failure.detail
    finally:
        await client.close()
    return ""


if __name__ == "__main__":
    layers = int(sys.argv[1])
    body = bomb(layers)
    port = serve(body, layers)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    why = asyncio.run(asked(port))
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024
    print(json.dumps({"sent": len(body), "refused": why, "grown": grown}))
