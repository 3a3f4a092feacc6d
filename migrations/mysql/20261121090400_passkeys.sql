CREATE TABLE passkeys (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT NOT NULL,
  credential_id VARBINARY(1023) NOT NULL UNIQUE CHECK (length(credential_id) BETWEEN 16 AND 1023),
  -- COSE.
  public_key BLOB NOT NULL,
  sign_count BIGINT NOT NULL DEFAULT 0,
  -- The browser and system it was made in, or what the user typed.
  name TEXT NOT NULL,
  -- Which make of authenticator holds it; all zeros when it does not say.
  aaguid VARBINARY(16) NOT NULL CHECK (length(aaguid) = 16),
  -- JSON: an array of text, as the browser told them.
  transports MEDIUMTEXT NOT NULL DEFAULT ('[]') CHECK (json_valid(transports)),
  -- Whether it may be synced, and whether it is.
  backup_eligible BOOLEAN NOT NULL,
  backed_up BOOLEAN NOT NULL,
  created_at DATETIME(6) NOT NULL,
  last_used_at DATETIME(6),
  FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

CREATE INDEX passkeys_user_id ON passkeys (user_id);
