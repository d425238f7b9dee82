"""What a plan says of itself besides its tasks, edited in a dialog: each field typed, judged by the reader of files."""
