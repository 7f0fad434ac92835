"""The desktops there can be: the user's own, another display, and private ones, which end with their owner."""
