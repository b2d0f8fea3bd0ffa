"""Tools for pack authors only: drafts, diffs of documents, samples. No server imports them."""
