"""Connection strings and container names → the folder that stands for the container."""

from __future__ import annotations

from pathlib import Path

from azsearch_ops.local.errors import invalid_request

LOCAL_FOLDER = "LocalFolder"


def container_folder(connection_string: str, container: str, containers: Path) -> Path:
    """The folder of a container, which need not exist.

    `LocalFolder=/path` means a folder below that path; any Azure connection string (AccountName, ResourceId, …)
    means one below the folder of containers that the service was started with.

    Raises:
        ServiceFault: 400, for a container name that would leave its folder.
    """
    if not container or "/" in container or "\\" in container or container in (".", ".."):
        raise invalid_request(f"The container name '{container}' is not valid.", "InvalidContainerName")
    settings = dict(part.split("=", 1) for part in connection_string.split(";") if "=" in part)
    folder = next((value for name, value in settings.items() if name.lower() == LOCAL_FOLDER.lower()), None)
    return (Path(folder) if folder else containers) / container
