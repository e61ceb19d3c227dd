"""List and crack documents: folder, blob to text and metadata."""
