CREATE TABLE users (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  name TEXT NOT NULL,
  -- As it was typed: mail goes there. Whoever writes emails by hand is held to it that no two are the same but for case.
  email VARCHAR(320) COLLATE utf8mb4_0900_as_ci NOT NULL UNIQUE,
  -- In NFC and lower case, as JavaScript makes them: no two accounts have the same.
  email_key VARCHAR(320) NOT NULL UNIQUE,
  email_verified_at DATETIME(6),
  -- PHC string; empty for an account with no password.
  password_hash VARCHAR(255) NOT NULL DEFAULT '',
  -- How often the password was set or removed, so that no old reset link revives.
  password_changes BIGINT NOT NULL DEFAULT 0,
  -- Sealed, base32; login takes a code when it is there.
  two_factor_secret TEXT,
  -- Sealed.
  recovery_codes TEXT,
  -- The time step of the last accepted code.
  two_factor_step BIGINT NOT NULL DEFAULT 0,
  -- The key of its file.
  photo VARCHAR(255) UNIQUE,
  -- Random, and the same for all passkeys of the user.
  passkey_handle VARBINARY(64) UNIQUE,
  created_at DATETIME(6) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;
