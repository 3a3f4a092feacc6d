-- The browsers that an account has logged in from in the last year.
CREATE TABLE browsers (
  user_id BIGINT NOT NULL,
  -- SHA-256 of the browser's ID, which only its cookie has.
  hash VARBINARY(32) NOT NULL CHECK (length(hash) = 32),
  last_login_at DATETIME(6) NOT NULL,
  PRIMARY KEY (user_id, hash),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
