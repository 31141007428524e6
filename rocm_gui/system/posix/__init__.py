"""Linux only: sysfs, KFD, groups."""
