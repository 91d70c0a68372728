"""The calls of kernel32 that the standard library does not wrap, declared once."""

# ruff: noqa: E402 - a type checker on another system skips what follows the assertion, imports included
from __future__ import annotations

import sys

assert sys.platform == "win32"

import ctypes
from ctypes import wintypes
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

CREATE_SUSPENDED = 0x00000004
CREATE_NEW_PROCESS_GROUP = 0x00000200
CREATE_UNICODE_ENVIRONMENT = 0x00000400
CREATE_NO_WINDOW = 0x08000000

JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE = 0x00002000
BASIC_PROCESS_ID_LIST = 3
EXTENDED_LIMIT_INFORMATION = 9

ERROR_MORE_DATA = 234
INFINITE = 0xFFFFFFFF


class BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION"""

    _fields_ = (
        ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
        ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
        ("LimitFlags", wintypes.DWORD),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", wintypes.DWORD),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", wintypes.DWORD),
        ("SchedulingClass", wintypes.DWORD),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION"""

    _fields_ = (
        ("BasicLimitInformation", BasicLimits),
        ("IoInfo", ctypes.c_ulonglong * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


def process_id_list(capacity: int) -> ctypes.Structure:
    """A JOBOBJECT_BASIC_PROCESS_ID_LIST with room for `capacity` ids."""

    class ProcessIdList(ctypes.Structure):
        _fields_ = (
            ("assigned", wintypes.DWORD),
            ("listed", wintypes.DWORD),
            ("ids", ctypes.c_size_t * capacity),
        )

    return ProcessIdList()


def _declare(library: ctypes.WinDLL, name: str, result: type, arguments: Sequence[type]) -> ctypes._NamedFuncPointer:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function  # type: ignore[no-any-return]


_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
_HANDLE, _BOOL, _DWORD, _POINTER = wintypes.HANDLE, wintypes.BOOL, wintypes.DWORD, ctypes.c_void_p

create_job = _declare(_kernel32, "CreateJobObjectW", _HANDLE, (_POINTER, wintypes.LPCWSTR))
set_job = _declare(_kernel32, "SetInformationJobObject", _BOOL, (_HANDLE, ctypes.c_int, _POINTER, _DWORD))
query_job = _declare(_kernel32, "QueryInformationJobObject", _BOOL, (_HANDLE, ctypes.c_int, _POINTER, _DWORD, _POINTER))
assign_to_job = _declare(_kernel32, "AssignProcessToJobObject", _BOOL, (_HANDLE, _HANDLE))
terminate_job = _declare(_kernel32, "TerminateJobObject", _BOOL, (_HANDLE, wintypes.UINT))
resume_thread = _declare(_kernel32, "ResumeThread", _DWORD, (_HANDLE,))
create_event = _declare(_kernel32, "CreateEventW", _HANDLE, (_POINTER, _BOOL, _BOOL, wintypes.LPCWSTR))
set_event = _declare(_kernel32, "SetEvent", _BOOL, (_HANDLE,))
system_directory = _declare(_kernel32, "GetSystemDirectoryW", wintypes.UINT, (wintypes.LPWSTR, wintypes.UINT))


def last_error() -> OSError:
    """The error of the last call that returned false."""
    return ctypes.WinError(ctypes.get_last_error())


def cmd_exe() -> str:
    """The system's own cmd.exe, whatever COMSPEC or PATH say."""
    buffer = ctypes.create_unicode_buffer(260)
    system_directory(buffer, len(buffer))
    return f"{buffer.value}\\cmd.exe"
