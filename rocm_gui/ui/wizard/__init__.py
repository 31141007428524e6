"""The guided setup, page by page."""
