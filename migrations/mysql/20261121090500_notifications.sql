CREATE TABLE notifications (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  -- JSON: an object, which the line is made of when it is read.
  data MEDIUMTEXT NOT NULL DEFAULT ('{}') CHECK (json_valid(data)),
  created_at DATETIME(6) NOT NULL,
  -- NULL: unread.
  read_at DATETIME(6),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- With the ID, so that this one also lists the newest first.
CREATE INDEX notifications_user_id ON notifications (user_id, id);
CREATE INDEX notifications_unread ON notifications (user_id, read_at, id);
CREATE INDEX notifications_read_at ON notifications (read_at);
