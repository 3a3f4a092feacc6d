-- Whom a job is about, and whom it mails to: what goes with an account is found without reading what waits for all others.
CREATE INDEX jobs_user ON jobs ((payload::json ->> 'userId'));
CREATE INDEX jobs_email ON jobs (
  (lower(coalesce(payload::json ->> 'email', payload::json #>> '{to,address}') COLLATE "C")));
