"""The same table in a browser: Textual's own server on this machine."""

import logging
import os
import shlex
import socket
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kalooki_env.errors import KalookiError
from kalooki_env.play.page import PAGE

if TYPE_CHECKING:
    from aiohttp.web import Application

HOST = "localhost"


def in_browser() -> bool:
    """Tell whether this process is a table that the server has started for a browser."""
    return bool(os.environ.get("TEXTUAL_DRIVER"))


def serve(options: Sequence[str], port: int) -> int:
    """Serve tables to browsers on this machine until Ctrl-C; every visit sits down at its own.

    Args:
        options: what `kalooki play` is started with for each of them.
        port: where the browser finds it.

    Returns:
        the exit code.

    Raises:
        KalookiError: textual-serve is not installed, or the port is taken.
    """
    try:
        from textual_serve.server import Server
    except ImportError as error:
        raise KalookiError(
            f"expected textual-serve for the table in a browser, got no {error.name}: run "
            "pip install 'kalooki-env[play]'"
        ) from None
    import aiohttp_jinja2  # both come with textual-serve
    import jinja2

    class Tables(Server):
        """Textual's server with a page of our own."""

        def initialize_logging(self) -> None:
            """Log what goes wrong, not every request."""
            logging.basicConfig(level=logging.WARNING)

        async def _make_app(self) -> "Application":
            app = await super()._make_app()
            aiohttp_jinja2.get_env(app).loader = jinja2.DictLoader({"app_index.html": PAGE})
            return app

        async def on_startup(self, app: "Application") -> None:
            """Say nothing; where the table is has been said."""

        def request_exit(self) -> None:
            """End at once, without waiting for browsers; a table leaves by itself (`hangup`)."""
            sys.stdout.flush()
            os._exit(0)

    _check_free(port)
    command = shlex.join([sys.executable, "-m", "kalooki_env.cli", "play", *options])
    print(f"The table is at http://{HOST}:{port} for browsers on this machine; Ctrl-C ends it.")
    sys.stdout.flush()
    Tables(command, host=HOST, port=port, title="Kalooki").serve()
    return 0


def _check_free(port: int) -> None:
    """Raise a KalookiError where nothing can be served, before anybody is told of it."""
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise KalookiError(
            f"--port: expected a free port, got {port}: {error.strerror or error}"
        ) from None
