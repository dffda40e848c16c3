"""What a timing depends on: versions, threads and the kernel that BLAS has picked."""

import os
import platform

import numpy as np
from threadpoolctl import threadpool_info

try:
    import torch
except ImportError:
    torch = None


def n_cores():
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def load():
    """Return a line that says how busy the machine has been."""
    if not hasattr(os, "getloadavg"):
        return "Load of the machine: unknown"
    return "Load of the machine over 1, 5 and 15 minutes: {:.1f}, {:.1f}, {:.1f}".format(
        *os.getloadavg()
    )


def description():
    """Return lines of Markdown about the machine and the libraries."""
    lines = [
        f"Python {platform.python_version()}, NumPy {np.__version__}, "
        f"PyTorch {torch.__version__ if torch else 'not installed'}; "
        f"{platform.system()} {platform.machine()}, {n_cores()} cores"
    ]
    for pool in threadpool_info():
        kernel = f", kernel {pool['architecture']}" if "architecture" in pool else ""
        lines.append(
            f"{pool['internal_api']} {pool['version'] or ''} ({pool['prefix']}): "
            f"{pool['num_threads']} threads{kernel}"
        )
    if torch:
        lines.append(
            f"PyTorch: {torch.get_num_threads()} threads, {torch.backends.cpu.get_cpu_capability()}"
        )
    lines.append(load())
    return [f"- {line}" for line in lines]
