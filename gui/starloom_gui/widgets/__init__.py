"""Small widgets and painting that several views use."""
