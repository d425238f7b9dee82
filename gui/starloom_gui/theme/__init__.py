"""The theme of the console: colours, measures, fonts, glyphs and icons. It does not depend on runs or tasks.

`palette` has the colours, `appearance` says which of them hold now, `qpalette` gives them to Qt's own widgets.
"""
