-- Sessions of SESSION_STORE=database: the cookie then holds only the ID.
CREATE TABLE sessions (
  -- SHA-256 of the session's ID.
  "key" VARBINARY(32) NOT NULL PRIMARY KEY CHECK (length("key") = 32),
  -- NULL: a guest's.
  user_id BIGINT,
  -- Sealed.
  payload MEDIUMTEXT NOT NULL,
  ends_at DATETIME(6) NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX sessions_user_id ON sessions (user_id);
CREATE INDEX sessions_ends_at ON sessions (ends_at);
