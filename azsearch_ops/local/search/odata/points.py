"""Points and polygons as OData writes them, and distances on the earth."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

EARTH_RADIUS_KM = 6371.0088  # mean radius; recorded answers agree with it to about 1e-8

_NUMBER = r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?"
_PAIR = re.compile(rf"\s*({_NUMBER})\s+({_NUMBER})\s*", re.ASCII)
_POINT = re.compile(r"\s*POINT\s*\(([^()]*)\)\s*", re.IGNORECASE)
_POLYGON = re.compile(r"\s*POLYGON\s*\(\s*\(([^()]*)\)\s*\)\s*", re.IGNORECASE)

Point = tuple[float, float]


class PointError(Exception):
    """The text is no point or polygon."""


def point_of(text: str) -> Point:
    """`POINT(longitude latitude)`."""
    match = _POINT.fullmatch(text)
    if match is None:
        raise PointError(text)
    return _pair(match.group(1))


def polygon_of(text: str) -> tuple[Point, ...]:
    """`POLYGON((longitude latitude, …))`, closed, at least four points."""
    match = _POLYGON.fullmatch(text)
    points = tuple(_pair(part) for part in match.group(1).split(",")) if match else ()
    if len(points) < 4 or points[0] != points[-1]:
        raise PointError(text)
    return points


def _pair(text: str) -> Point:
    match = _PAIR.fullmatch(text)
    if match is None:
        raise PointError(text)
    longitude, latitude = float(match.group(1)), float(match.group(2))
    if abs(longitude) > 180 or abs(latitude) > 90:
        raise PointError(text)
    return longitude, latitude


def distances(longitudes: NDArray[np.float64], latitudes: NDArray[np.float64], point: Point) -> NDArray[np.float64]:
    """Kilometres from each place to a point along a great circle (haversine); NaN where a place is NaN."""
    lon, lat = np.radians(longitudes), np.radians(latitudes)
    lon0, lat0 = np.radians(point[0]), np.radians(point[1])
    half = np.sin((lat - lat0) / 2) ** 2 + np.cos(lat) * np.cos(lat0) * np.sin((lon - lon0) / 2) ** 2
    result: NDArray[np.float64] = 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.minimum(half, 1)))
    return result
