"""What is open, and its views: documents are opened, shown, kept and restored here."""
