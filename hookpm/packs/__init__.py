"""Hook packs: manifest, content, options, archives, cases."""
