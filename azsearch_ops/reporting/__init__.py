"""Result values to terminal, Markdown and JSON."""
