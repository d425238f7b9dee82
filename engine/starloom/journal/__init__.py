"""The journals that store events. A run consists of its committed events."""
