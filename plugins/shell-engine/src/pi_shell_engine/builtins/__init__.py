"""The builtins of the contract."""

from pi_shell_engine.builtins.interface import Entry, Registry

CONTRACT: Registry = {
    entry.name: entry
    for entry in (
        Entry("true", "pi_shell_engine.builtins.minimal:true", "anything"),
        Entry("false", "pi_shell_engine.builtins.minimal:false", "anything"),
        Entry("echo", "pi_shell_engine.builtins.minimal:echo", "-n and words", special=True),
        Entry("cat", "pi_shell_engine.builtins.minimal:cat", "files"),
    )
}
