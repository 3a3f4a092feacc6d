CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id BLOB NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 16 AND 1023),
  -- COSE.
  public_key BLOB NOT NULL,
  sign_count INTEGER NOT NULL DEFAULT 0,
  -- The browser and system it was made in, or what the user typed.
  name TEXT NOT NULL,
  -- Which make of authenticator holds it; all zeros when it does not say.
  aaguid BLOB NOT NULL CHECK (length(aaguid) = 16),
  -- JSON: an array of text, as the browser told them.
  transports TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(transports)),
  -- Whether it may be synced, and whether it is.
  backup_eligible boolean NOT NULL CHECK (backup_eligible IN (0, 1)),
  backed_up boolean NOT NULL CHECK (backed_up IN (0, 1)),
  created_at datetime NOT NULL,
  last_used_at datetime
);

CREATE INDEX passkeys_user_id ON passkeys (user_id);
