-- An ID is never given twice: signed links, throttles and sealed values name a user by it.
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- As it was typed: mail goes there.
  email TEXT NOT NULL,
  -- In NFC and lower case, as JavaScript makes them: no two accounts have the same.
  email_key TEXT NOT NULL UNIQUE,
  email_verified_at datetime,
  -- PHC string; empty for an account with no password.
  password_hash TEXT NOT NULL DEFAULT '',
  -- How often the password was set or removed, so that no old reset link revives.
  password_changes INTEGER NOT NULL DEFAULT 0,
  -- Sealed, base32; login takes a code when it is there.
  two_factor_secret TEXT,
  -- Sealed.
  recovery_codes TEXT,
  -- The time step of the last accepted code.
  two_factor_step INTEGER NOT NULL DEFAULT 0,
  -- The key of its file.
  photo TEXT UNIQUE,
  -- Random, and the same for all passkeys of the user.
  passkey_handle BLOB UNIQUE,
  created_at datetime NOT NULL
);
