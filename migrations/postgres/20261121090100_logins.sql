CREATE TABLE logins (
  -- SHA-256 of the login's ID, which only the browser has.
  key bytea NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The first 512 bytes.
  user_agent text NOT NULL,
  address text NOT NULL,
  -- Lasts 30 days without a visit; otherwise two hours.
  remember boolean NOT NULL,
  logged_in_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE INDEX logins_user_id ON logins (user_id);
CREATE INDEX logins_ends_at ON logins (ends_at);
