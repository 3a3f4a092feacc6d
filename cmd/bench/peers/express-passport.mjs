import sessionStore from 'better-sqlite3-session-store'
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import { Strategy } from 'passport-local'
import { openDatabase } from './open-database.mjs'

// `express-passport.mjs <port> <file> [no-touch]`: express with sessions in SQLite, as in passport's documentation.
const [port, file, touch] = process.argv.slice(2)

const db = openDatabase(file)
db.exec(`
  CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    password TEXT NOT NULL,
    created_at TEXT NOT NULL
  )`)
const insert = db.prepare(
  'INSERT INTO users (name, email, password, created_at) VALUES (@name, @email, @password, @at)',
)
const byEmail = db.prepare('SELECT * FROM users WHERE email = ?')
const byId = db.prepare('SELECT id, name, email, created_at FROM users WHERE id = ?')

passport.use(
  new Strategy({ usernameField: 'email' }, (email, password, done) => {
    const user = byEmail.get(email)
    // Hashing costs the same everywhere, and is left out on both sides.
    done(null, user?.password === password ? user : false)
  }),
)
passport.serializeUser((user, done) => done(null, user.id))
passport.deserializeUser((id, done) => done(null, byId.get(id) ?? false))

const SqliteStore = sessionStore(session)
// By default it writes at each page that the session was used.
if (touch === 'no-touch') SqliteStore.prototype.touch = undefined
const app = express()
app.get('/up', (_, response) => response.send('up'))
app.use(express.json())
app.use(
  session({
    store: new SqliteStore({ client: db }),
    secret: 'of a bench, and of nobody else',
    resave: false,
    saveUninitialized: false,
  }),
)
app.use(passport.session())
app.post('/register', ({ body: { name, email, password } }, response) => {
  insert.run({ name, email, password, at: new Date().toISOString() })
  response.json({})
})
app.post('/login', passport.authenticate('local'), (_, response) => response.json({}))
app.get('/me', (request, response) => {
  if (request.isAuthenticated()) response.json(request.user)
  else response.sendStatus(401)
})
app.listen(Number(port), '127.0.0.1')
