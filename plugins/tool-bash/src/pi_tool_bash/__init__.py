"""The bash tool of pi: one stable contract over whichever shell tier is there."""
