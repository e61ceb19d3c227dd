"""What an environment lacks."""
