"""The table a person plays at: `session` runs the game without any screen, `terminal` shows it."""
