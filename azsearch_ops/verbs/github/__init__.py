"""What a GitHub Actions runner gives and takes, and the review of a pull request."""
