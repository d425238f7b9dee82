"""The main window: menus, toolbar, the run's header, docks and their layout, status bar, welcome page."""
