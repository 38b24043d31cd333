"""Serves the website that is packed with this program, on this machine alone, and opens it in the browser.

python all-you-need.zip [--port 8000] [--no-browser]
"""

import argparse
import http.server
import mimetypes
import sys
import webbrowser
import zipfile
from urllib.parse import unquote, urlsplit


def handler(archive):
    """A request handler that answers with the archive's files and nothing else."""
    names = set(archive.namelist())

    class Reader(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, with_body):
            path = unquote(urlsplit(self.path).path).lstrip("/")
            name = "site/" + (path + "index.html" if path.endswith("/") or not path else path)
            found = name in names
            body = archive.read(name) if found else b"This page is not in the archive."
            kind = (mimetypes.guess_type(name)[0] or "application/octet-stream") if found else "text/plain"
            self.send_response(200 if found else 404)
            self.send_header("Content-Type", kind + ("; charset=utf-8" if kind.startswith("text/") else ""))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def do_GET(self):
            self.answer(with_body=True)

        def do_HEAD(self):
            self.answer(with_body=False)

        def log_message(self, *args):
            pass

    return Reader


def main():
    parser = argparse.ArgumentParser(description="Read the course that is packed in this file.")
    parser.add_argument("--port", type=int, default=0, help="the port to serve on; any free one unless given")
    parser.add_argument("--no-browser", action="store_true", help="serve only")
    options = parser.parse_args()
    with (
        zipfile.ZipFile(sys.argv[0]) as archive,
        http.server.ThreadingHTTPServer(("127.0.0.1", options.port), handler(archive)) as server,
    ):
        address = f"http://127.0.0.1:{server.server_port}/"
        print(f"The course is at {address} until you press Ctrl+C.", flush=True)
        if not options.no_browser:
            webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
