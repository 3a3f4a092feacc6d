-- Whom a job is about, and whom it mails to: what goes with an account is found without reading what waits for all others.
-- Columns, which nobody sees who does not name them: MySQL passes over an index of such an expression itself.
ALTER TABLE jobs
  ADD COLUMN user_id BIGINT
    GENERATED ALWAYS AS (json_value(payload, '$.userId' RETURNING SIGNED)) VIRTUAL INVISIBLE,
  ADD COLUMN email VARCHAR(320)
    GENERATED ALWAYS AS (lower(coalesce(
      json_value(payload, '$.email' RETURNING CHAR(320)),
      json_value(payload, '$.to.address' RETURNING CHAR(320))))) VIRTUAL INVISIBLE;
CREATE INDEX jobs_user ON jobs (user_id);
CREATE INDEX jobs_email ON jobs (email);
