import { text } from '../answer.ts'
import { logFailedRead } from '../log/log-database.ts'
import type { Handler } from '../form/form.ts'

/** Answers 200 if the database answers, else 503 (spec: Health and files). */
export const health: Handler = async (c) => {
  try {
    await c.app.db.ping()
    return text(200, 'up')
  } catch (error) {
    logFailedRead(c, error, 'the database does not answer')
    return text(503, 'down')
  }
}
