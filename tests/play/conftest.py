"""Games that are played here are recorded in a folder of the test, not in the user's."""

import pytest


@pytest.fixture(autouse=True)
def games(tmp_path_factory, monkeypatch):
    """Return the folder that games are recorded in."""
    data = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(data))
    return data / "kalooki" / "games"
