"""The admin routes that set faults and role keys: outside Azure's surface, with the key of the service only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from pydantic.alias_generators import to_camel

from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.faults import Fault
from azsearch_ops.local.roles import RIGHTS, Identity
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

_STRICT = ConfigDict(extra="forbid", alias_generator=to_camel, populate_by_name=True)


@dataclass(frozen=True, slots=True)
class _FaultsBody:
    __pydantic_config__ = _STRICT
    faults: tuple[Annotated[Fault, Field(discriminator="kind")], ...]


@dataclass(frozen=True, slots=True)
class _RolesBody:
    """`enabled` false: the service takes its own key only. `add` keeps the identities that are known."""

    __pydantic_config__ = _STRICT
    identities: Mapping[str, Identity] = field(default_factory=dict)
    enabled: bool = True
    add: bool = False


def set_faults(call: Call, service: Service) -> Reply:
    """POST /__local/faults: these instead of those that were set; an empty list ends all."""
    service.faults.replace(_read(_faults_adapter(), call).faults)
    return list_faults(call, service)


def list_faults(call: Call, service: Service) -> Reply:
    """GET /__local/faults: what is set, and how often each was met."""
    rows = [{**asdict(fault), "met": met} for fault, met in service.faults.listed()]
    return Reply(200, {"faults": rows}, media="json")


def set_roles(call: Call, service: Service) -> Reply:
    """POST /__local/roles: which keys and tokens stand for which roles."""
    body = _read(_roles_adapter(), call)
    for identity in body.identities.values():
        for grant in identity.grants:
            if grant.role not in RIGHTS:
                raise invalid_request(f"There is no role '{grant.role}'; there are {', '.join(RIGHTS)}.")
    if body.add:
        service.roles.add(body.identities)
    else:
        service.roles.replace(body.identities, enabled=body.enabled)
    return Reply(204)


@cache
def _faults_adapter() -> TypeAdapter[_FaultsBody]:
    return TypeAdapter(_FaultsBody)


@cache
def _roles_adapter() -> TypeAdapter[_RolesBody]:
    return TypeAdapter(_RolesBody)


def _read(adapter: TypeAdapter[Any], call: Call) -> Any:
    try:
        return adapter.validate_python(call.json("body"))
    except ValidationError as error:
        told = "; ".join(f"{'/'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise ServiceFault(400, "InvalidFault", told) from error
