import { migrate } from '#db/migrations'

const [file = ''] = process.argv.slice(2)

// A longer migration than any of the service's own: it rewrites every user, more than SQLite keeps in memory.
const sql = `
  ALTER TABLE users ADD COLUMN initial TEXT NOT NULL DEFAULT '';
  UPDATE users SET initial = substr(name, 1, 1), name = name || '!';
  CREATE INDEX users_initial ON users (initial)`

await migrate({ file }, [{ name: '29991231000000_initials.sql', sql }], new Date())
