"""Static trees of packs and their versions."""
