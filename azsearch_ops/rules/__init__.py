"""What is wrong with a definition: stable codes, one family a file."""
