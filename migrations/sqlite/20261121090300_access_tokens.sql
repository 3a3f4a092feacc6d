CREATE TABLE access_tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the token, which is kept nowhere.
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  name TEXT NOT NULL,
  -- JSON: an array of text.
  abilities TEXT NOT NULL CHECK (json_valid(abilities)),
  -- NULL: never.
  expires_at datetime,
  last_used_at datetime,
  created_at datetime NOT NULL
);

CREATE INDEX access_tokens_user_id ON access_tokens (user_id);
