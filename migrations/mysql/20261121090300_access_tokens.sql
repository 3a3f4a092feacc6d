CREATE TABLE access_tokens (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  -- SHA-256 of the token, which is kept nowhere.
  hash VARBINARY(32) NOT NULL UNIQUE CHECK (length(hash) = 32),
  name TEXT NOT NULL,
  -- JSON: an array of text.
  abilities TEXT NOT NULL CHECK (json_valid(abilities)),
  -- NULL: never.
  expires_at DATETIME(6),
  last_used_at DATETIME(6),
  created_at DATETIME(6) NOT NULL,
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX access_tokens_user_id ON access_tokens (user_id);
