-- Whom a job is about, and whom it mails to: what goes with an account is found without reading what waits for all others.
CREATE INDEX jobs_user ON jobs (json_extract(payload, '$.userId'));
CREATE INDEX jobs_email ON jobs (
  lower(coalesce(json_extract(payload, '$.email'), json_extract(payload, '$.to.address'))));
