-- Events on their way to open pages. An ID is never given twice; one that was given later may be committed first.
CREATE TABLE broadcasts (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  channel VARCHAR(255) NOT NULL,
  event TEXT NOT NULL,
  -- JSON: an object.
  data MEDIUMTEXT NOT NULL DEFAULT ('{}') CHECK (json_valid(data)),
  created_at DATETIME(6) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX broadcasts_created_at ON broadcasts (created_at);
