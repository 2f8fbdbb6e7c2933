"""The terminal that the table is on: what comes from it, signals, and how it is left."""

import os
import select
import signal
import sys
import termios
from collections.abc import Iterable

from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from kalooki_env.play import signals
from kalooki_env.play.screen.keyboard import Keyboard

ENDS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
"""Signals that end the game."""
_PATIENCE = 10
"""Seconds for leaving after a signal; a screen that cannot be written to never gets to it."""
_AS_IT_WAS = b"".join(
    [
        *(b"\x1b[?%dl" % mode for mode in (1000, 1003, 1015, 1006, 2004, 1004)),
        b"\x1b[?7h\x1b[<u\x1b[?1049l\x1b[?25h",
    ]
)
"""Takes mouse, paste and focus reports, the kitty keyboard and the other screen back; shows the
cursor."""


class TerminalDriver(LinuxDriver):
    """Textual's driver, which puts the terminal back whatever ends or stops the process.

    The application has two more things for it: `leaving`, and `end(number)` for a signal.
    """

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self._file = sys.__stdout__  # standard error may be a file
        # As callbacks of the loop: a handler could find it in the middle of a write.
        self._loop.add_signal_handler(signal.SIGTSTP, self._sigtstp_application)
        self._loop.add_signal_handler(signal.SIGCONT, self._sigcont_application)
        for number in ENDS:
            if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
                signal.signal(number, self._end)

    def _end(self, number: int, frame: object) -> None:
        """Have the application leave; a second signal, or the end of patience, ends the process."""
        signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, lambda *_: self._give_up(number))
        signal.alarm(_PATIENCE)
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._app.end, number)  # type: ignore[attr-defined]

    def _give_up(self, number: int) -> None:
        """End the process with the terminal as it was, as far as it takes what is written."""
        try:
            if self.attrs_before is not None:
                termios.tcsetattr(self.fileno, termios.TCSANOW, self.attrs_before)
            if select.select([], [self.fileno], [], 0)[1]:
                os.write(self.fileno, _AS_IT_WAS)
        except (OSError, termios.error):
            pass  # it is gone
        finally:
            os._exit(signals.CODE + number)

    def close(self) -> None:
        """Stop writing; the terminal has been put back."""
        super().close()
        signal.alarm(0)

    def _sigcont_application(self, *_: object) -> None:
        """Draw the table again after a stop, also one that could not be prepared for (SIGSTOP).

        Textual would begin anew on top of what it has, and take its own settings of the terminal
        for those that were there before.
        """
        if self._app.leaving:  # type: ignore[attr-defined]
            return
        if self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()

    def _query_in_band_window_resize(self) -> None:
        """Ask for no sizes among the keys: a signal tells of them, and no byte can make them up."""

    def run_input_thread(self) -> None:
        """Read keys and clicks until the driver is stopped."""
        keyboard = Keyboard()
        while not self.exit_event.is_set():
            if select.select([self.fileno], [], [], 0.1)[0]:
                try:
                    data = os.read(self.fileno, 1 << 12)
                except OSError:
                    data = b""
                if not data:  # the terminal is gone, see `hangup`
                    self.exit_event.wait(0.1)
                self._pass_on(keyboard.feed(data))
            else:
                self._pass_on(keyboard.tick())

    def _pass_on(self, found: Iterable[Message]) -> None:
        for message in found:
            self.process_message(message)
