-- Of pages and mails, by BCP 47: what the person chose, and what the pages were in when they last logged in.
ALTER TABLE users ADD COLUMN language text;
ALTER TABLE users ADD COLUMN last_language text;
