"""The flags that every run knows; modes and other plugins add theirs."""

from pi_api import Flag

MODEL, TOOLS, OTHER = "model", "tools", "other"

FLAGS = (
    Flag("provider", "take the default model of this provider", "text", metavar="NAME", section=MODEL),
    Flag("model", "id, provider/id or part of it, with :LEVEL for thinking", "text", metavar="MODEL", section=MODEL),
    Flag("thinking", "off, minimal, low, medium, high, xhigh, max or ultra", "text", metavar="LEVEL", section=MODEL),
    Flag("api-key", "use this key for this run; it is stored nowhere", "text", metavar="KEY", section=MODEL),
    Flag("list-models", "list models that can be used now, and leave", "optional", metavar="PART", section=MODEL),
    Flag("tools", "only these tools, comma-separated", "list", short="t", metavar="NAMES", section=TOOLS),
    Flag("exclude-tools", "not these tools, comma-separated", "list", short="xt", metavar="NAMES", section=TOOLS),
    Flag("no-builtin-tools", "only tools of third-party plugins", short="nbt", section=TOOLS),
    Flag("no-tools", "no tools at all", short="nt", section=TOOLS),
    Flag("mode", "how to talk: text, json, or another installed mode", "text", metavar="MODE", section=OTHER),
    Flag("no-plugins", "load built-in plugins only", section=OTHER),
    Flag("without-plugin", "run without this plugin", "list", metavar="NAME", section=OTHER),
)
