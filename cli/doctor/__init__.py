"""Whether an installation would work: everything that it depends on, tried once, with what to do about what fails."""
