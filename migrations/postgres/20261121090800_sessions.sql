-- Sessions of SESSION_STORE=database: the cookie then holds only the ID.
CREATE TABLE sessions (
  -- SHA-256 of the session's ID.
  key bytea NOT NULL PRIMARY KEY CHECK (length(key) = 32),
  -- NULL: a guest's.
  user_id bigint REFERENCES users (id) ON DELETE CASCADE,
  -- Sealed.
  payload text NOT NULL,
  ends_at timestamptz NOT NULL
);

CREATE INDEX sessions_user_id ON sessions (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX sessions_ends_at ON sessions (ends_at);
