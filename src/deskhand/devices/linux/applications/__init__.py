"""Applications: which there are, and starting one until its window is up."""
