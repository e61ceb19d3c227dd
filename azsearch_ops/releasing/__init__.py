"""Carries out steps: candidate, lease, promote, rollback, ledger."""
