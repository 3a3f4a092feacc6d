CREATE TABLE logins (
  -- SHA-256 of the login's ID, which only the browser has.
  "key" VARBINARY(32) NOT NULL PRIMARY KEY CHECK (length("key") = 32),
  user_id BIGINT NOT NULL,
  -- The first 512 bytes.
  user_agent TEXT NOT NULL,
  address TEXT NOT NULL,
  -- Lasts 30 days without a visit; otherwise two hours.
  remember BOOLEAN NOT NULL,
  logged_in_at DATETIME(6) NOT NULL,
  last_seen_at DATETIME(6) NOT NULL,
  ends_at DATETIME(6) NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX logins_user_id ON logins (user_id);
CREATE INDEX logins_ends_at ON logins (ends_at);
