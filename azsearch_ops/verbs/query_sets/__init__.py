"""Query sets looked after: checked, drafted, judged, converted, taken from logs."""
