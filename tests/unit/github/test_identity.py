"""A job's identity: a fresh assertion at every refresh, the audiences of each cloud, no token in what is said."""

from __future__ import annotations

import re
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

import pytest
from azure.core.exceptions import ClientAuthenticationError
from github_server import github_server

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.service.client import Service
from azsearch_ops.service.clouds import cloud_of
from azsearch_ops.service.credentials import authority_for, credential_for, github_assertion
from azsearch_ops.service.side_calls import embedding_length, identity_of, shared_private_links

TEMPLATES = Path(__file__).parents[3] / "infra/azure/modules"
CLOUDS = {
    "public": ("windows.net", "azure.com", "https://search.azure.com", "https://cognitiveservices.azure.com"),
    "government": ("azure.us", "azure.us", "https://search.azure.us", "https://cognitiveservices.azure.us"),
    "china": ("azure.cn", "azure.cn", "https://search.azure.cn", "https://cognitiveservices.azure.cn"),
}
MANAGEMENT = {
    "public": "https://management.azure.com",
    "government": "https://management.usgovcloudapi.net",
    "china": "https://management.chinacloudapi.cn",
}


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
        told = "".join(traceback.TracebackException.from_exception(refused.value, capture_locals=False).format())
        assert "another-token" not in f"{told}{refused.value.hint}{refused.value.__cause__}"
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


class _Refused:
    """A credential that gets no token, and keeps what tokens were asked for: nothing leaves this machine."""

    def __init__(self) -> None:
        self.scopes: list[str] = []

    def get_token(self, *scopes: str, **_: Any) -> NoReturn:
        self.scopes += scopes
        raise ClientAuthenticationError("no identity here")

    def get_token_info(self, *scopes: str, **_: Any) -> NoReturn:
        self.get_token(*scopes)


@pytest.mark.parametrize("cloud", CLOUDS)
def test_tokens_are_for_the_cloud_that_a_service_is_in(cloud: str) -> None:
    search, models, search_audience, model_audience = CLOUDS[cloud]
    endpoint, account = f"https://name.search.{search}", f"https://name.openai.{models}"
    credential = _Refused()
    service = Service(endpoint, credential, api_version="2026-04-01", audience=cloud_of(endpoint).search)
    calls = (
        lambda: service.names("index"),
        lambda: embedding_length(account, "embed", "x", dimensions=None, key="", credential=credential),
        lambda: shared_private_links("/subscriptions/s", endpoint, credential),
        lambda: identity_of(credential, cloud_of(endpoint).search),
    )
    for call in calls:
        with pytest.raises(ServiceError, match="no token: no identity here") as refused:
            call()
        assert "az login" in refused.value.hint
    service.close()
    wanted = [search_audience, model_audience, MANAGEMENT[cloud], search_audience]
    assert credential.scopes == [f"{audience}/.default" for audience in wanted]


def test_authority_and_assertion_follow_the_cloud_unless_the_authority_is_named() -> None:
    assert authority_for({}, "https://name.search.windows.net") is None
    assert authority_for({}, "https://name.search.azure.us") == "https://login.microsoftonline.us"
    assert authority_for({}, "https://name.openai.azure.cn/") == "https://login.chinacloudapi.cn"
    assert authority_for({"AZURE_AUTHORITY_HOST": "https://own"}, "https://name.search.azure.us") is None
    template = (TEMPLATES / "identities.bicep").read_text("utf-8")
    known = dict(re.findall(r"^  (\w+): '(api://\w+)'$", template, re.MULTILINE))
    addresses = {"AzureCloud": "windows.net", "AzureUSGovernment": "azure.us", "AzureChinaCloud": "azure.cn"}
    assert known == {name: cloud_of(f"https://name.search.{d}").exchange for name, d in addresses.items()}


def test_a_credential_that_gets_no_token_does_not_fill_the_screen() -> None:
    said = "import azsearch_ops.service.credentials, logging; logging.getLogger('azure.identity._x').warning('tried')"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    assert done.stderr == ""
