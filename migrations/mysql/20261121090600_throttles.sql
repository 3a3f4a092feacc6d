CREATE TABLE throttles (
  -- SHA-256 of the throttle's name and what it counts by, so that no email or address is kept.
  "key" VARBINARY(32) NOT NULL PRIMARY KEY CHECK (length("key") = 32),
  tries BIGINT NOT NULL,
  -- When the window ends.
  ends_at DATETIME(6) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX throttles_ends_at ON throttles (ends_at);
