"""`pi config`: what is installed, what is switched on, what is set."""
