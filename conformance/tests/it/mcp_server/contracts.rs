//! Output contracts over MCP, which the official suite does not look at.
