CREATE TABLE logins (
  -- SHA-256 of the login's ID, which only the browser has.
  key BLOB NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The first 512 bytes.
  user_agent TEXT NOT NULL,
  address TEXT NOT NULL,
  -- Lasts 30 days without a visit; otherwise two hours.
  remember boolean NOT NULL CHECK (remember IN (0, 1)),
  logged_in_at datetime NOT NULL,
  last_seen_at datetime NOT NULL,
  ends_at datetime NOT NULL
);

CREATE INDEX logins_user_id ON logins (user_id);
CREATE INDEX logins_ends_at ON logins (ends_at);
