"""How the sites on loopback that wget crawls end their answers."""
import http.server


class Answers(http.server.BaseHTTPRequestHandler):
    """A site that says nothing of its own on the terminal."""
    protocol_version = "HTTP/1.1"

    def send(self, body):
        """Ends an answer: in two chunks at /chunked, with its length elsewhere."""
        if self.path == "/chunked":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            parts = [body[:100], body[100:]]
            self.wfile.write(b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts if part) + b"0\r\n\r\n")
        else:
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_):
        pass
