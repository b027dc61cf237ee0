"""From a plan to the disk, all or nothing."""
