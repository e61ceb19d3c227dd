"""A job's identity: a fresh assertion at every refresh, and no token in what is said when it is refused."""

from __future__ import annotations

import pytest
from github_server import github_server

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.service.credentials import credential_for, github_assertion


def test_every_assertion_is_fresh() -> None:
    with github_server() as server:
        environ = {
            "ACTIONS_ID_TOKEN_REQUEST_URL": f"{server.url}/token?api-version=2",
            "ACTIONS_ID_TOKEN_REQUEST_TOKEN": server.request_token,
        }
        assert [github_assertion(environ) for _ in range(3)] == server.assertions
        environ["ACTIONS_ID_TOKEN_REQUEST_TOKEN"] = "another-token"
        with pytest.raises(ServiceError, match="refused an identity token") as refused:
            github_assertion(environ)
        assert "another-token" not in f"{refused.value}{refused.value.hint}{refused.value.__cause__}"
    with pytest.raises(UnreachableError):
        github_assertion(environ)


def test_the_kind_of_identity_follows_the_environment() -> None:
    job = {
        "ACTIONS_ID_TOKEN_REQUEST_URL": "http://127.0.0.1:9/token",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "t",
        "AZURE_CLIENT_ID": "c",
        "AZURE_TENANT_ID": "tenant",
    }
    assert type(credential_for(job)).__name__ == "ClientAssertionCredential"
    assert type(credential_for({})).__name__ == "DefaultAzureCredential"
