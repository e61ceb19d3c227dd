"""Policy and verdict over an evaluation."""
