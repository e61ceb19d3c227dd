"""Plan, build, promote, roll back, prune, and what is live."""
