"""Door: takes jobs over a Unix socket, a line of JSON each, and answers with a line."""

import json
import socketserver
import threading


class Door:
    """Calls `take(job)` for each job and answers what it returns."""

    def __init__(self, path, take):
        class Handler(socketserver.StreamRequestHandler):
            """One connection."""

            def handle(self):
                for line in self.rfile:
                    try:
                        answer = take(json.loads(line))
                    except Exception as error:  # the submitter hears what is wrong
                        answer = {"error": str(error)}
                    self.wfile.write(json.dumps(answer).encode() + b"\n")

        path.unlink(missing_ok=True)
        self.server = socketserver.ThreadingUnixStreamServer(str(path), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
