"""The workers of a Dask cluster, as devices. Needs the extra `dask` (distributed) on both sides."""

from starloom.devices.dask.cluster import DaskCluster
from starloom.devices.dask.device import DaskDevice

__all__ = ["DaskCluster", "DaskDevice"]
