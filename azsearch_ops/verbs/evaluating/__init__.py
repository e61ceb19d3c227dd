"""Live and candidate on the same questions: what they are asked, by which yardstick, and the record."""
