-- The browsers that an account has logged in from in the last year.
CREATE TABLE browsers (
  user_id bigint NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- SHA-256 of the browser's ID, which only its cookie has.
  hash bytea NOT NULL CHECK (length(hash) = 32),
  last_login_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, hash)
);
