"""A process tree on Windows: a Job Object, which no member leaves and which kills them all when it is closed."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import _winapi
import ctypes

from pi_process.windows import api

KILLED_EXIT_CODE = 137
"""What killed members report; the same as a shell says of SIGKILL."""


class Job:
    """The job of one direct child; the child is put into it before it runs. Raises OSError when there can be none."""

    def __init__(self) -> None:
        self._handle = api.create_job(None, None)
        if not self._handle:
            raise api.last_error()
        # Neither breakaway flag is set, so a member cannot start a process outside the job.
        limits = api.ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = api.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
        size = ctypes.sizeof(limits)
        if not api.set_job(self._handle, api.EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size):
            error = api.last_error()
            self.release()
            raise error

    def assign(self, process: int) -> None:
        """Put a process into the job, by its handle. Raises OSError."""
        if not api.assign_to_job(self._handle, process):
            raise api.last_error()

    def members(self) -> tuple[int, ...]:
        if not self._handle:
            return ()
        capacity = 64
        while True:
            listing = api.process_id_list(capacity)
            size = ctypes.sizeof(listing)
            if api.query_job(self._handle, api.BASIC_PROCESS_ID_LIST, ctypes.byref(listing), size, None):
                return tuple(listing.ids[: listing.listed])
            error = api.last_error()
            if error.winerror != api.ERROR_MORE_DATA:
                raise error
            capacity *= 4

    def terminate(self) -> None:
        """The same as `kill`: Windows has no request to end for programs without a window."""
        self.kill()

    def kill(self) -> tuple[int, ...]:
        alive = self.members()
        if alive:
            api.terminate_job(self._handle, KILLED_EXIT_CODE)
        return alive

    def release(self) -> None:
        """Close the job, which kills what is left in it."""
        if self._handle:
            _winapi.CloseHandle(self._handle)
            self._handle = 0
