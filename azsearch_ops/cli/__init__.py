"""Typer commands: parse, call one verb, hand the result to reporting."""
