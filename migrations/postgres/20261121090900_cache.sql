-- Values that may be forgotten, and states that are used once, such as a passkey challenge.
CREATE TABLE cache (
  key text COLLATE "C" NOT NULL PRIMARY KEY,
  value text COLLATE "C" NOT NULL,
  -- NULL: never.
  ends_at timestamptz
);

CREATE INDEX cache_ends_at ON cache (ends_at) WHERE ends_at IS NOT NULL;
