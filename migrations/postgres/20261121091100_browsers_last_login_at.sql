-- By which those are found that no login came from in the last year.
CREATE INDEX browsers_last_login_at ON browsers (last_login_at);
