"""One answer per question, decided once: page, terminal, Markdown and JSON repeat it."""
