-- Values that may be forgotten, and states that are used once, such as a passkey challenge.
CREATE TABLE cache (
  "key" VARCHAR(255) NOT NULL PRIMARY KEY,
  value MEDIUMTEXT NOT NULL,
  -- NULL: never.
  ends_at DATETIME(6)
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX cache_ends_at ON cache (ends_at);
