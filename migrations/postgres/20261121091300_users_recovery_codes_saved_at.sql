-- When the person said that they had saved the recovery codes; NULL of codes that were made since.
ALTER TABLE users ADD COLUMN recovery_codes_saved_at timestamptz;
