"""What the file tools of pi share. Names load on first use."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pi_files.errors import FileError as FileError
    from pi_files.ledger import ReadLedger as ReadLedger
    from pi_files.locks import file_lock as file_lock
    from pi_files.operations import FileOperations as FileOperations
    from pi_files.operations import Files as Files
    from pi_files.operations import LocalFiles as LocalFiles
    from pi_files.place import Place as Place
    from pi_files.place import place_of as place_of
    from pi_files.threads import StopSignal as StopSignal
    from pi_files.threads import in_thread as in_thread

_HOMES = {
    "errors": "FileError",
    "ledger": "ReadLedger",
    "locks": "file_lock",
    "operations": "FileOperations Files LocalFiles",
    "place": "Place place_of",
    "threads": "StopSignal in_thread",
}
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'pi_files' has no attribute {name!r}")
    return getattr(import_module(f"pi_files.{_MODULE_OF[name]}"), name)
