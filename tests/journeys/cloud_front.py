"""The local service behind TLS, reached with tokens that an identity provider hands out for a fresh assertion only.

Tokens live for seconds, so that one expires in the middle of a wait.
"""

from __future__ import annotations

import base64
import datetime
import http.client
import ipaddress
import json
import ssl
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from forwarding_proxy import HOP_BY_HOP, OWN
from github_server import GitHubServer
from played_server import PlayedHandler, serving

from azsearch_ops.verbs.local.service import LocalService

ROLES = ("Search Service Contributor", "Search Index Data Contributor", "Search Index Data Reader")
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class CloudFront(ThreadingHTTPServer):
    """`tokens` counts those that were issued, each valid for `seconds` and with these `roles`.

    `scopes` are those that tokens were asked for; `links` the shared private links that the resource manager tells.
    """

    daemon_threads = True

    def __init__(self, upstream: LocalService, github: GitHubServer, certificate: Path, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.upstream, self.github, self.seconds = upstream, github, seconds
        self.tokens: list[str] = []
        self.roles: tuple[str, ...] = ROLES
        self.scopes: set[str] = set()
        self.links: dict[str, str] = {}
        self.used: set[str] = set()
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        """Where service and identity provider are."""
        return f"https://localhost:{self.server_address[1]}"

    def issue(self, assertion: str) -> str | None:
        """A token for an assertion that was never used before."""
        with self.lock:
            if assertion not in self.github.assertions or assertion in self.used:
                return None
            self.used.add(assertion)
            claims = {"appid": "pipeline", "oid": "its-object", "number": len(self.tokens)}
            token = f"e30.{base64.urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip('=')}.signature"
            self.tokens.append(token)
        grants = [{"role": role} for role in self.roles]
        body = {"identities": {token: {"grants": grants, "seconds": self.seconds}}, "add": True}
        request = urllib.request.Request(
            f"{self.upstream.endpoint}/__local/roles",
            data=json.dumps(body).encode(),
            headers={"api-key": self.upstream.key},
        )
        with DIRECT.open(request, timeout=30):
            return token


class _Handler(PlayedHandler):
    server: CloudFront

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        body = self.content()
        if path.endswith("/.well-known/openid-configuration"):
            tenant = f"{self.server.url}/tenant"
            return self.send(
                200,
                {
                    "issuer": f"{tenant}/v2.0",
                    "authorization_endpoint": f"{tenant}/oauth2/v2.0/authorize",
                    "token_endpoint": f"{tenant}/oauth2/v2.0/token",
                },
            )
        if path == "/tenant/oauth2/v2.0/token":
            form = parse_qs(body.decode())
            self.server.scopes.add(form["scope"][0].split()[0])
            token = self.server.issue(form["client_assertion"][0])
            if token is None:
                return self.send(401, {"error": "invalid_client", "error_description": "assertion expired"})
            seconds = int(self.server.seconds)
            return self.send(200, {"token_type": "Bearer", "access_token": token, "expires_in": seconds})
        if path.endswith("/sharedPrivateLinkResources"):
            known = self.headers.get("Authorization", "").removeprefix("Bearer ") in self.server.tokens
            rows = [{"name": n, "properties": {"status": s}} for n, s in self.server.links.items()]
            return self.send(200 if known else 401, {"value": rows})
        return self._forward(body)

    def _forward(self, body: bytes) -> None:
        headers = {k: v for k, v in self.headers.items() if k.lower() not in HOP_BY_HOP}
        upstream = http.client.HTTPConnection(urlsplit(self.server.upstream.endpoint).netloc, timeout=60)
        try:
            upstream.request(self.command, self.path, body=body or None, headers=headers)
            answer = upstream.getresponse()
            content = answer.read()
        finally:
            upstream.close()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP | OWN]
        self.pass_on(answer.status, kept, content)

    do_GET = do_POST = do_PUT = do_DELETE = _answer


def certificate(folder: Path) -> Path:
    """A key and a certificate for localhost, which is its own authority, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(minutes=5))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@contextmanager
def cloud_front(service: LocalService, github: GitHubServer, folder: Path, seconds: float) -> Iterator[CloudFront]:
    """A running front; ended with the block."""
    with serving(CloudFront(service, github, certificate(folder), seconds)) as front:
        yield front
