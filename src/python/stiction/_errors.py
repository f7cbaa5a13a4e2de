# SPDX-License-Identifier: BSD-2-Clause
"""Errors and messages."""

from typing import NamedTuple, Optional


class Message(NamedTuple):
    """An error or a warning: its position, what is wrong, and what was expected."""

    file: Optional[str]  # or "--set KEY=VALUE"; None: no position
    line: int  # from 1; 0: unknown
    column: int
    key: Optional[str]  # "model.mass"
    text: str
    warning: bool

    def __str__(self):
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else f"{self.file}: " if self.file else ""
        return place + (f"{self.key}: " if self.key else "") + self.text


class Error(ValueError):
    """A problem with errors, one per line, FILE:LINE:COLUMN: KEY: what is wrong; .messages has them as Message."""

    def __init__(self, text, messages=()):
        self.messages = list(messages)
        wrong = [str(message) for message in self.messages if not message.warning]
        super().__init__("\n".join(wrong) or text)


class SolverError(RuntimeError):
    """A motion that could not be solved to its end, or a program that failed. .result: the partial result, e.g. a Motion, or None."""

    def __init__(self, text, result=None):
        self.result = result
        super().__init__(text)
