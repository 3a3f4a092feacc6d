CREATE TABLE notifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  -- JSON: an object, which the line is made of when it is read.
  data TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(data)),
  created_at datetime NOT NULL,
  -- NULL: unread.
  read_at datetime
);

-- Each index ends in the ID, so this one also lists the newest first.
CREATE INDEX notifications_user_id ON notifications (user_id);
-- With the column that is always NULL, or counting would look each row up.
CREATE INDEX notifications_unread ON notifications (user_id, read_at) WHERE read_at IS NULL;
CREATE INDEX notifications_read_at ON notifications (read_at) WHERE read_at IS NOT NULL;
