import type { Advices } from '../advice.ts'

/** Advice for what the server refuses on an established connection. */
export const advices: Advices = [
  {
    codes: /^42501$/,
    pattern: /^permission denied for schema (.+)$/,
    advice: 'Have its owner run GRANT USAGE, CREATE ON SCHEMA "$1" TO {user}.',
  },
  {
    codes: /^42501$/,
    pattern: /^permission denied for database (.+)$/,
    advice:
      'Have its owner run GRANT CREATE ON DATABASE "$1" TO {user}: a restore makes schemas in it.',
  },
  {
    codes: /^42501$/,
    pattern: /^must be owner of .+$/,
    advice:
      'Give it to the user in DB_URL, such as by ALTER … OWNER TO, or set DB_URL to its owner.',
  },
  {
    codes: /^42501$/,
    advice:
      'Have its owner run GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO {user} and GRANT ALL ON ALL SEQUENCES IN SCHEMA {schema} TO {user}; to migrate and to restore {user} must own them.',
  },
  {
    codes: /^42710$/,
    pattern: /^extension ".+" already exists$/,
    advice:
      'Restore into an empty database, and set DB_URL to it: a database has each extension once, and that migration makes it without IF NOT EXISTS.',
  },
  {
    codes: /^3F000$/,
    advice:
      'Make the schema with CREATE SCHEMA … AUTHORIZATION the user in DB_URL, or set search_path there, or of that user, to one that there is; where that is right, have its owner run GRANT USAGE, CREATE ON SCHEMA … TO the user in DB_URL.',
  },
  {
    codes: /^25006$/,
    advice:
      'Set DB_URL to a server that accepts writes, or turn default_transaction_read_only off for the user and the database.',
  },
  {
    codes: /^53100$/,
    advice: 'Make room on the disk of the database server, and try again.',
  },
  {
    codes: /^(57014|55P03)$/,
    advice:
      'Try again, and look for what keeps the database busy; behind a pooler the statement_timeout of the user in DB_URL may be too short.',
  },
]
