# SPDX-License-Identifier: BSD-2-Clause
"""Problems: a file's path, YAML text, or a dict, read by the library."""

import ctypes
import json
import math
import os
import warnings

import numpy as np

from ._errors import Error, Message
from ._library import library, status_text, text_of


class Messages:
    """Collects messages of the library; a context with .listener to pass to it. unplaced: name of a text that the user has not written, as that
    of a dict; messages about it have keys, but no lines."""

    def __init__(self, unplaced=None):
        self.unplaced = unplaced

    def __enter__(self):
        self.handle = library.stiction_messages_create()
        if not self.handle:
            raise MemoryError("stiction")
        self.listener = library.stiction_messages_listener(self.handle)
        return self

    def __exit__(self, *_):
        library.stiction_messages_destroy(self.handle)

    def list(self):
        h = self.handle
        messages = [Message(text_of(library.stiction_message_file(h, k)), library.stiction_message_line(h, k),
                            library.stiction_message_column(h, k), text_of(library.stiction_message_key(h, k)),
                            text_of(library.stiction_message_text(h, k)) or "", library.stiction_message_warning(h, k))
                    for k in range(library.stiction_messages_count(h))]
        return [m._replace(line=0, column=0) if self.unplaced and m.file == self.unplaced else m for m in messages]

    def check(self, status, what):
        """Issues warnings, and raises an exception for a status or for errors among the messages."""
        messages = self.list()
        for message in messages:
            if message.warning:
                warnings.warn(str(message), stacklevel=4)
        if status == 0:
            return
        text = status_text(status)
        if text == "out of memory":
            raise MemoryError(f"stiction: {what}")
        raise Error(f"{what}: {text}", messages)


def _plain(value):
    """Converts a value of a dict to JSON, which is also YAML: numpy types to Python's, infinities and nan to YAML's words."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _setting(key, value):
    """Returns KEY=VALUE as for --set."""
    return f"{key}={json.dumps(_plain(value))}".encode()


def _is_text(problem):
    return isinstance(problem, str) and ("\n" in problem or problem.lstrip().startswith("{"))


class Unread:
    """A problem for the program alone, as the library does not take it; problem and settings as of Problem. path: None for a text."""

    def __init__(self, problem, settings):
        self.path = None if isinstance(problem, dict) or _is_text(problem) else os.fspath(problem)
        self.text = json.dumps(_plain(problem), indent=1) if isinstance(problem, dict) else problem
        self.options = [word for key, value in (settings or {}).items() for word in ("--set", _setting(key, value).decode())]


class Planned(Error):
    """A problem with a free T, other costs than effort, limits or other keys of a plan: for the program alone."""


class Problem:
    """A problem, read and checked.

    problem: a path; or text that contains a newline or begins with `{`; or a dict of a problem file's keys. settings: values by dotted paths
    that override its keys, {"time.step": 0.01, "scheme": {"name": "event"}}.
    """

    def __init__(self, problem, settings=None):
        self.handle = None
        self.path, self.settings = None, settings
        lines = [_setting(key, value) for key, value in (settings or {}).items()]
        array = (ctypes.c_char_p * max(len(lines), 1))(*lines)
        handle = ctypes.c_void_p()
        with Messages("problem" if isinstance(problem, dict) else None) as messages:
            if isinstance(problem, dict):
                status = self._read_text("problem", json.dumps(_plain(problem), indent=1), lines, array, messages, handle)
            elif _is_text(problem):
                status = self._read_text("problem", problem, lines, array, messages, handle)
            elif isinstance(problem, (str, os.PathLike)):
                self.path = os.fspath(problem)
                status = library.stiction_file_read(os.fsencode(self.path), len(lines), array, None, messages.listener,
                                                    ctypes.byref(handle))
            else:
                raise TypeError(f"a problem is a path, text or a dict, and not {type(problem).__name__}")
            self.handle = handle.value  # set first, as a warning may be raised as an error
            messages.check(status, self.path or "problem")
        if library.stiction_file_has_plan(self.handle):
            raise Planned(f"{self.path or 'problem'}: a plan, as of a free T, control.minimize or limits (expected control(.., ranks=1, "
                          "output=DIR), the program's search; then load(DIR).trajectory is the motion)")

    @staticmethod
    def _read_text(name, text, lines, array, messages, handle):
        text = text.encode()
        return library.stiction_text_read(name.encode(), text, len(text), len(lines), array, messages.listener,
                                          ctypes.byref(handle))

    def __del__(self):
        handle, self.handle = getattr(self, "handle", None), None
        if handle:
            library.stiction_file_destroy(handle)

    def _open(self):
        """Returns the C problem; raises Error after it was closed."""
        if not self.handle:
            raise Error("problem: it has been released")
        return self.handle

    def variables(self):
        return library.stiction_file_variables(self._open())

    def echo(self):
        """Every key with its resolved value, as JSON."""
        pointer = library.stiction_file_echo(self._open())
        if not pointer:
            raise MemoryError("stiction")
        text = ctypes.string_at(pointer).decode()
        library.free(pointer)
        return text

    def dict(self):
        return json.loads(self.echo())

    def control(self, u):
        """Converts a control of this problem, or the .u of an object, to an array of its numbers."""
        u = getattr(u, "u", u)
        array = np.ascontiguousarray(u, dtype=np.float64).reshape(-1)
        if array.size != self.variables():
            raise Error(f"control: {array.size} numbers (expected {self.variables()})")
        if not np.isfinite(array).all():
            raise Error("control: a number that is not finite")
        return array
