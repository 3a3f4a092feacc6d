-- The collation of `email` took letters for the same that its key does not, such as full-width ones: a stranger could keep
-- people from their own email. Whoever writes emails by hand is held to it still that no two are the same but for case: of
-- ASCII letters alone, as the others are a matter of the key. Byte by byte, since `lower` also changes others, and their number.
ALTER TABLE users
  DROP INDEX email,
  MODIFY email VARCHAR(320) COLLATE utf8mb4_0900_bin NOT NULL,
  ADD COLUMN email_folded VARCHAR(1280) CHARACTER SET latin1 COLLATE latin1_bin
    GENERATED ALWAYS AS (lower(CONVERT(CAST(email AS BINARY) USING latin1))) VIRTUAL INVISIBLE,
  ADD UNIQUE INDEX users_email (email_folded);
