-- Values that may be forgotten, and states that are used once, such as a passkey challenge.
CREATE TABLE cache (
  key TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  -- NULL: never.
  ends_at datetime
);

CREATE INDEX cache_ends_at ON cache (ends_at) WHERE ends_at IS NOT NULL;
