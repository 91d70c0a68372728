"""Where the sessions of pi are kept, found, resumed and forked."""
