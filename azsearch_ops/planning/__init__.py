"""Desired against live: plan, ordered steps, classes, explanation."""
