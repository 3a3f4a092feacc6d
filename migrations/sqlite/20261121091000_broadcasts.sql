-- Events on their way to open pages. An ID is never given twice: each process reads what came after its last.
CREATE TABLE broadcasts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  channel TEXT NOT NULL,
  event TEXT NOT NULL,
  -- JSON: an object.
  data TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(data)),
  created_at datetime NOT NULL
);

CREATE INDEX broadcasts_created_at ON broadcasts (created_at);
