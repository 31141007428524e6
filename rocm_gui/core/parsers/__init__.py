"""One file a tool: text of that tool in, typed values out."""
