"""Judgements on spans, metrics, statistics; receives a search callable."""
