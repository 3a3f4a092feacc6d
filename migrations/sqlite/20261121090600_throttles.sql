CREATE TABLE throttles (
  -- SHA-256 of the throttle's name and what it counts by, so that no email or address is kept.
  key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  tries INTEGER NOT NULL,
  -- When the window ends.
  ends_at datetime NOT NULL
) WITHOUT ROWID;

CREATE INDEX throttles_ends_at ON throttles (ends_at);
