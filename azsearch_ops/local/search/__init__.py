"""The search engine of one index, in memory: analysis, postings, filters, vectors, fusion and paging."""
