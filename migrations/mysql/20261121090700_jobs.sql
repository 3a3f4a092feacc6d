-- What is waiting, running or failed for good. A finished job has no row.
CREATE TABLE jobs (
  id BIGINT AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  -- JSON: an object.
  payload MEDIUMTEXT NOT NULL DEFAULT ('{}') CHECK (json_valid(payload)),
  -- Runs begun.
  tries BIGINT NOT NULL DEFAULT 0,
  -- When the next run is due. NULL: at once, whatever a clock that was set says.
  run_at DATETIME(6),
  -- The process that runs it. Its claim ends with it.
  claimed_by VARCHAR(100),
  -- Of the last run that failed.
  error MEDIUMTEXT,
  -- When it failed for good.
  failed_at DATETIME(6),
  created_at DATETIME(6) NOT NULL
) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin;

-- By name first, so that jobs which no one can run yet are not stepped over by each who looks for another.
CREATE INDEX jobs_due ON jobs (name, claimed_by, failed_at, run_at, id);
CREATE INDEX jobs_claimed ON jobs (claimed_by);
CREATE INDEX jobs_failed ON jobs (failed_at);
