"""From requirements to exact versions."""
