"""Routes: an HTTP server whose handlers are named by decorators, as in Flask or FastAPI.

    app = Routes()

    @app.route("GET", "/jobs/<namespace>/<name>")
    def job(namespace, name):
        return {"name": f"{namespace}/{name}"}

With Flask the handlers are the same; the standard library is what every Python has.
"""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

MOST = 1 << 20  # bytes of a body
OURS = re.compile(r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


def foreign(headers):
    """Why a browser may ask for another site's page: an error and its status. None: it does not.

    A name that was made to lead here is in Host, the site of the page in Origin. A body of JSON is
    what no page sends elsewhere without asking first.
    """
    host, origin = headers.get("Host") or "", headers.get("Origin")
    if not OURS.fullmatch(host):
        return {"error": f"Host {host!r} is not this machine"}, 403
    if origin is not None and origin != f"http://{host}":
        return {"error": f"a page of {origin!r} asks"}, 403
    if headers.get("Content-Length", "0") != "0" and (
            headers.get_content_type() != "application/json"):
        return {"error": "the body is JSON; say Content-Type: application/json"}, 415
    return None


def decoded(parts):
    """The parts of a path as they are meant; none of them is two."""
    told = {name: unquote(part, errors="strict") for name, part in parts.items()}
    if any("/" in part for part in told.values()):
        raise ValueError("a part of the path has a slash")
    return told


class Routes:
    """Handlers by method and path. Each returns what is sent as JSON, or that and a status."""

    def __init__(self, refusals=()):
        """`refusals`: an exception's type -> the status that it is answered with."""
        self.refusals = dict(refusals)
        self.handlers = []

    def route(self, method, path):
        """Names the handler; what stands in <> becomes a keyword, a body the keyword `body`."""
        pattern = re.compile(re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", path))

        def add(handler):
            self.handlers.append((method, pattern, handler))
            return handler
        return add

    def answer(self, method, path, body):
        """What the handler returns, with its status."""
        for name, pattern, handler in self.handlers:
            found = pattern.fullmatch(path)
            if found and name == method:
                try:
                    more = {} if body is None else {"body": json.loads(body)}
                    told = handler(**decoded(found.groupdict()), **more)
                except (ValueError, KeyError, TypeError, *self.refusals) as error:
                    return {"error": str(error)}, self.status(error)
                return told if isinstance(told, tuple) else (told, 200)
        return {"error": f"nothing answers {method} {path}"}, 404

    def status(self, error):
        return next((status for kind, status in self.refusals.items() if isinstance(error, kind)),
                    400)

    def listen(self, port):
        """A server on this port of the loopback; 0: one that is free."""
        routes = self

        class Handler(BaseHTTPRequestHandler):
            """One connection."""

            protocol_version = "HTTP/1.1"
            timeout = 30

            def answer(self):
                size = int(self.headers.get("Content-Length") or 0)
                if size > MOST:
                    self.close_connection = True
                body = self.rfile.read(size) if 0 < size <= MOST else None
                too_long = ({"error": "too long"}, 413) if size > MOST else None
                told, status = foreign(self.headers) or too_long or routes.answer(
                    self.command, self.path, body)
                text = json.dumps(told).encode() + b"\n"
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_DELETE = answer  # names that http.server gives

            def log_message(self, *_):
                pass

        return ThreadingHTTPServer(("127.0.0.1", port), Handler)
