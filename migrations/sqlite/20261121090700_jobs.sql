-- What is waiting, running or failed for good. A finished job has no row.
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  -- JSON: an object.
  payload TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload)),
  -- Runs begun.
  tries INTEGER NOT NULL DEFAULT 0,
  -- When the next run is due. NULL: at once, whatever a clock that was set says.
  run_at datetime,
  -- The process that runs it. Its claim ends with it.
  claimed_by TEXT,
  -- Of the last run that failed.
  error TEXT,
  -- When it failed for good.
  failed_at datetime,
  created_at datetime NOT NULL
);

-- By name first, so that jobs which no one can run yet are not stepped over by each who looks for another.
CREATE INDEX jobs_due ON jobs (name, run_at) WHERE failed_at IS NULL AND claimed_by IS NULL;
CREATE INDEX jobs_claimed ON jobs (claimed_by) WHERE claimed_by IS NOT NULL;
CREATE INDEX jobs_failed ON jobs (failed_at) WHERE failed_at IS NOT NULL;
