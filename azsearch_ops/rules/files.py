"""AZS0xx: files that cannot be read or understood. The checks themselves are in `definitions`."""

from __future__ import annotations

from typing import Final

from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation(
        "AZS001",
        "A file cannot be read, or is not there",
        "Nothing can be said about a definition that cannot be read as UTF-8 text.",
        "Look at path and permissions, and save the file as UTF-8.",
    ),
    Explanation(
        "AZS002",
        "Malformed YAML",
        "The parser cannot tell what the file means from this place on.",
        "Indent with spaces, close quotes and brackets, and put expressions in quotes.",
        "https://yaml.org/spec/1.2.2/",
    ),
    Explanation(
        "AZS003",
        "A key stands twice in one mapping",
        "Most parsers silently keep the last one, so the other setting would be lost without a word.",
        "Keep one of the two.",
        "https://yaml.org/spec/1.2.2/#mapping",
    ),
    Explanation(
        "AZS004",
        "YAML that has no JSON value",
        "Definitions become JSON. Tags of one's own, infinite numbers, keys that are lists and circles of aliases "
        "have no place there.",
        "Write plain values; put an expression in quotes.",
    ),
    Explanation(
        "AZS005",
        "extends leads nowhere",
        "The extended file must exist inside the project and must not extend this file again.",
        "Name a file relative to the one that extends it.",
    ),
    Explanation(
        "AZS006",
        "A variable is not defined",
        "An undefined variable would become an empty text and end up in a body.",
        "Add it under `variables` of the environment, or mend the name.",
    ),
    Explanation(
        "AZS007",
        "A template cannot be rendered, or does what templates may not do",
        "Validation must be safe for any file, so templates have no loops, no calls but secret('NAME'), and no I/O.",
        "Use names, literals, comparisons, if and the listed filters.",
    ),
    Explanation(
        "AZS008",
        "Unknown key",
        "A misspelled setting that is ignored is a setting that has no effect, and nobody notices.",
        "Use the name that the message suggests; REST properties go under `index`, `skills` or `request`.",
    ),
    Explanation("AZS009", "A key is missing", "The definition cannot be used without it.", "Add it."),
    Explanation(
        "AZS010",
        "A value of the wrong kind",
        "The value does not have the type or the range that this key takes.",
        "Write a value of the kind that the message names; '5' in quotes is a text, 5 a number.",
    ),
    Explanation(
        "AZS011",
        "Two definitions have one name",
        "A reference by name could mean either.",
        "Rename one of them.",
    ),
    Explanation(
        "AZS012",
        "There is no such environment",
        "Definitions are rendered for one environment, infra/environments/NAME.yaml.",
        "Name one that exists, or write the file.",
    ),
)
