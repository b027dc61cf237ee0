"""hookpm schema: print the JSON Schema of one of the formats."""

from __future__ import annotations

import argparse

from hookpm.cli import output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of schema."""
    from hookpm.project import schema

    parser.add_argument(
        "name", nargs="?", metavar="NAME", help=f"one of {', '.join(schema.names())}"
    )
    parser.add_argument(
        "--json", action="store_true", help="the names as JSON; a schema is that as it is"
    )


def run(options: argparse.Namespace) -> int:
    """Print the schema, or the names of all."""
    from hookpm.project import schema

    if options.name is None and options.json:
        output.show_json({"schemas": list(schema.names())})
        return 0
    if options.name is None:
        for name in schema.names():
            output.show(name)
        return 0
    output.show_raw(schema.text(options.name))
    return 0
