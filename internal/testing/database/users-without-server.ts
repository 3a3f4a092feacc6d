import { settingOf, temporaryDatabase } from './database.ts'
import { emptyFolder, required, run } from '../processes/executable.ts'

/** Returns a database without a server, and commands that work on its users. */
export async function usersAtRest() {
  const { db, address } = await temporaryDatabase()
  const folder = emptyFolder()
  const settings = { ...(await required()), ...settingOf(address) }
  const users = (...words: string[]) => run(['users', ...words], { folder, settings })
  return { db, users, folder, settings }
}
