CREATE TABLE throttles (
  -- SHA-256 of the throttle's name and what it counts by, so that no email or address is kept.
  key bytea NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  tries bigint NOT NULL,
  -- When the window ends.
  ends_at timestamptz NOT NULL
);

CREATE INDEX throttles_ends_at ON throttles (ends_at);
