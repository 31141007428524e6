"""One module a page; each renders models and sends commands."""
