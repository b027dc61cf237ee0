"""The names of the contract: events, capabilities, kinds of tools.

Vendored. Claude Code's spelling is the one used everywhere (observed in 2.1.332).
"""

EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "PreCompact",
    "SessionEnd",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PermissionRequest",
    "Notification",
)

# Every event name that Claude Code's settings accept.
CLAUDE_EVENTS = (
    *EVENTS,
    "PostToolBatch",
    "UserPromptExpansion",
    "StopFailure",
    "PostCompact",
    "PreModelSwitch",
    "PostModelSwitch",
    "PermissionDenied",
    "Setup",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "WorktreeCreate",
    "WorktreeRemove",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
    "PreSkillShellCommand",
)

TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest")

# What an answer can ask of an agent at an event.
CAPABILITIES = {
    "PreToolUse": (
        "deny",
        "ask",
        "allow",
        "defer",
        "updatedInput",
        "additionalContext",
        "continue:false",
        "systemMessage",
    ),
    "PostToolUse": ("block", "additionalContext", "continue:false", "systemMessage"),
    "UserPromptSubmit": ("block", "additionalContext", "continue:false", "systemMessage"),
    "SessionStart": ("additionalContext", "systemMessage"),
    "SessionEnd": (),
    "Stop": ("block", "continue:false", "systemMessage"),
    "PreCompact": ("block", "systemMessage"),
    "PostToolUseFailure": ("block", "additionalContext", "systemMessage"),
    "SubagentStart": ("additionalContext",),
    "SubagentStop": ("block",),
    "PermissionRequest": ("deny", "allow", "updatedInput"),
    "Notification": ("systemMessage",),
}
# Where a hook can refuse with the word deny; everywhere else the word is block.
DENIES = ("PreToolUse", "PermissionRequest")

# The field of the input that a matcher is held against; events not listed ignore matchers.
MATCHED_FIELD = {
    "PreToolUse": "tool_name",
    "PostToolUse": "tool_name",
    "PostToolUseFailure": "tool_name",
    "PermissionRequest": "tool_name",
    "PermissionDenied": "tool_name",
    "SessionStart": "source",
    "SessionEnd": "reason",
    "PreCompact": "trigger",
    "PostCompact": "trigger",
    "Setup": "trigger",
    "Notification": "notification_type",
    "SubagentStart": "agent_type",
    "SubagentStop": "agent_type",
    "UserPromptExpansion": "command_name",
    "StopFailure": "error",
    "ConfigChange": "source",
    "DirectoryAdded": "source",
    "InstructionsLoaded": "load_reason",
    "Elicitation": "mcp_server_name",
    "ElicitationResult": "mcp_server_name",
    "PreModelSwitch": "to_model",
    "PostModelSwitch": "to_model",
}

# Where plain text on stdout is context (observed; the last one from the vendor's text).
TEXT_IS_CONTEXT = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch")

# Where exit code 2 or a block stops nothing: the event can only be told something.
CANNOT_BLOCK = (
    "SessionStart",
    "SessionEnd",
    "Notification",
    "SubagentStart",
    "PostCompact",
    "PostModelSwitch",
    "PermissionRequest",
    "PermissionDenied",
    "Setup",
    "StopFailure",
    "InstructionsLoaded",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
)

DEFAULT_TIMEOUT = 60.0  # seconds, of one hook

CANARY_TOOL = "hookpm_canary"
CANARY_SESSION = "hookpm-canary"

_KINDS = {
    "Bash": "shell",
    "PowerShell": "shell",
    "Read": "read",
    "NotebookRead": "read",
    "Grep": "read",
    "Glob": "read",
    "LS": "read",
    "Edit": "write",
    "MultiEdit": "write",
    "Write": "write",
    "NotebookEdit": "write",
}


def tool_kind(tool_name: str) -> str:
    """shell, read, write, mcp or other, for a tool named as Claude Code names it."""
    if tool_name.startswith("mcp__"):
        return "mcp"
    return _KINDS.get(tool_name, "other")
