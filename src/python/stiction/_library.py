# SPDX-License-Identifier: BSD-2-Clause
"""Loads libstiction by ctypes and declares its functions that use only numbers, texts and arrays.

No struct of C is used here. Arrays owned by C are copied at once.
"""

import atexit
import ctypes
import os
import signal
import threading
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p

import numpy as np

try:
    from . import _installed  # written by the installation: paths from this folder
except ImportError:
    _installed = None

HERE = os.path.dirname(os.path.abspath(__file__))
Stopped = CFUNCTYPE(c_bool, c_void_p)
_doubles = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")

# name: type of the result, types of the arguments
_FUNCTIONS = {
    "free": (None, [c_void_p]),  # of the C library, for texts owned by the caller
    "stiction_version": (c_char_p, []),
    "stiction_build_info": (c_size_t, [c_char_p, c_size_t]),
    "stiction_status_text": (c_char_p, [c_int]),
    "stiction_petsc_stop": (None, []),
    "stiction_thread_left": (c_bool, []),
    "stiction_messages_create": (c_void_p, []),
    "stiction_messages_destroy": (None, [c_void_p]),
    "stiction_messages_listener": (c_void_p, [c_void_p]),
    "stiction_messages_count": (c_int, [c_void_p]),
    "stiction_message_file": (c_char_p, [c_void_p, c_int]),
    "stiction_message_line": (c_long, [c_void_p, c_int]),
    "stiction_message_column": (c_long, [c_void_p, c_int]),
    "stiction_message_key": (c_char_p, [c_void_p, c_int]),
    "stiction_message_text": (c_char_p, [c_void_p, c_int]),
    "stiction_message_warning": (c_bool, [c_void_p, c_int]),
    "stiction_file_read": (c_int, [c_char_p, c_int, POINTER(c_char_p), c_void_p, c_void_p, POINTER(c_void_p)]),
    "stiction_text_read": (c_int, [c_char_p, c_char_p, c_size_t, c_int, POINTER(c_char_p), c_void_p,
                                   POINTER(c_void_p)]),
    "stiction_file_destroy": (None, [c_void_p]),
    "stiction_file_echo": (c_void_p, [c_void_p]),
    "stiction_file_has_plan": (c_bool, [c_void_p]),
    "stiction_file_variables": (c_int, [c_void_p]),
    "stiction_motion_run": (c_int, [c_void_p, c_void_p, Stopped, c_void_p, c_void_p, POINTER(c_void_p)]),
    "stiction_motion_destroy": (None, [c_void_p]),
    "stiction_motion_name": (c_char_p, [c_void_p, c_int]),
    "stiction_motion_array": (POINTER(c_double), [c_void_p, c_int]),
    "stiction_motion_columns": (c_int, [c_void_p, c_int]),
    "stiction_motion_rows": (c_long, [c_void_p]),
    "stiction_motion_end": (POINTER(c_double), [c_void_p, c_bool]),
    "stiction_motion_number": (c_double, [c_void_p, c_char_p]),
    "stiction_search_create": (c_void_p, [c_int, c_int]),
    "stiction_search_of_file": (c_void_p, [c_void_p]),
    "stiction_search_destroy": (None, [c_void_p]),
    "stiction_search_variable": (c_int, [c_void_p, c_int, c_double, c_double, c_double]),
    "stiction_search_value": (c_int, [c_void_p, c_int, c_char_p, c_double, c_double]),
    "stiction_search_size": (c_int, [c_void_p, c_int, c_double]),
    "stiction_search_derivatives": (c_int, [c_void_p]),
    "stiction_search_key": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p]),
    "stiction_search_begin": (c_int, [c_void_p, c_char_p, c_size_t, c_void_p]),
    "stiction_search_saved_size": (c_size_t, [c_void_p]),
    "stiction_search_save": (None, [c_void_p, c_char_p]),
    "stiction_search_ask": (c_int, [c_void_p, c_int, POINTER(c_long), _doubles]),
    "stiction_search_tell": (c_bool, [c_void_p, c_long, c_void_p, c_double]),
    "stiction_search_tell_rows": (c_bool, [c_void_p, c_long, c_void_p, c_void_p, c_double]),
    "stiction_search_run": (c_int, [c_void_p, Stopped, c_void_p, c_void_p]),
    "stiction_search_number": (c_double, [c_void_p, c_char_p]),
    "stiction_search_best": (POINTER(c_double), [c_void_p, c_char_p]),
    "stiction_search_reason": (c_char_p, [c_void_p]),
    "stiction_search_method": (c_char_p, [c_void_p]),
}


def _beside(name):
    """Returns a path of the installation; None if this package is in a source tree."""
    return os.path.normpath(os.path.join(HERE, getattr(_installed, name))) if _installed else None


def _open():
    path = os.environ.get("STICTION_LIBRARY") or _beside("LIBRARY") or "libstiction.so"
    try:
        library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)  # Open MPI loads plugins that need its symbols
    except OSError as error:
        raise ImportError(f"libstiction: {error}; STICTION_LIBRARY may have its path") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


library = _open()


@atexit.register
def _end():
    if not library.stiction_thread_left():  # such a thread may hold a lock for which PETSc waits
        library.stiction_petsc_stop()


def version():
    return library.stiction_version().decode()


def build_info():
    """Returns what `stiction --version` prints of the loaded library: commit, libraries, compiler, instruction sets."""
    text = ctypes.create_string_buffer(library.stiction_build_info(None, 0) + 1)
    library.stiction_build_info(text, len(text))
    return text.value.decode()


def program():
    """Returns the path of the program stiction, for runs on several ranks."""
    return os.environ.get("STICTION_PROGRAM") or _beside("PROGRAM") or "stiction"


def status_text(status):
    return library.stiction_status_text(status).decode()


def text_of(pointer):
    return None if pointer is None else pointer.decode(errors="replace")


def array_of(pointer, *shape):
    """Returns a copy of an array owned by C."""
    if 0 in shape:
        return np.zeros(shape)
    return np.ctypeslib.as_array(pointer, shape).copy()


class Interruptible:
    """A call into C that polls whether to stop; Ctrl-C stops it. .seen: whether it was stopped."""

    def __init__(self):
        self.seen = False
        self.stopped = Stopped(lambda _: self.seen)

    def __enter__(self):
        main = threading.current_thread() is threading.main_thread()
        self.hears = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if self.hears:  # Python handles the signal in this callback, where an exception would be lost
            signal.signal(signal.SIGINT, lambda *_: setattr(self, "seen", True))
        return self

    def __exit__(self, *_):
        if self.hears:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if self.seen:
            raise KeyboardInterrupt
