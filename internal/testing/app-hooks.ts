import type { OpenApp } from '../open-app.ts'
import type { TestApp } from './test-app.ts'

/** Returns an app that calls `happens` between the check of a password and the writes that follow. */
export function afterPasswordCheck<Opened extends OpenApp>(
  app: Opened,
  hook: () => Promise<void>,
): Opened {
  const checkPassword: OpenApp['passwords']['checkPassword'] = async (...args) => {
    const result = await app.passwords.checkPassword(...args)
    await hook()
    return result
  }
  return { ...app, passwords: { ...app.passwords, checkPassword } }
}

/** Returns an app that calls `happens` after a password is hashed. */
export function afterPasswordHash(app: TestApp, hook: () => Promise<void>): TestApp {
  const hashPassword: TestApp['passwords']['hashPassword'] = async (...args) => {
    const result = await app.passwords.hashPassword(...args)
    await hook()
    return result
  }
  return { ...app, passwords: { ...app.passwords, hashPassword } }
}

/** Returns an app that calls `happens` before the next transaction, after what was read before it. */
export function beforeNextTransaction<Opened extends OpenApp>(
  app: Opened,
  hook: () => Promise<void>,
): Opened {
  const db: OpenApp['db'] = {
    unsynced: app.db.unsynced,
    first: (sql, ...values) => app.db.first(sql, ...values),
    all: (sql, ...values) => app.db.all(sql, ...values),
    run: (sql, ...values) => app.db.run(sql, ...values),
    transaction: async (work) => {
      await hook()
      return app.db.transaction(work)
    },
    now: () => app.db.now(),
    ping: () => app.db.ping(),
    emptyLog: () => app.db.emptyLog(),
    writeAnew: () => app.db.writeAnew(),
    close: () => app.db.close(),
  }
  return { ...app, db }
}
