"""Why a query is answered worse on one side: what the rankings, the index and the documents can tell."""
