import { settingOf, temporaryDatabase } from './database.ts'
import { emptyFolder, requiredSettings, run } from '../processes/executable.ts'

/** Returns a database without a server, and commands that work on its users. */
export async function usersWithoutServer() {
  const { db, address } = await temporaryDatabase()
  const folder = emptyFolder()
  const settings = { ...(await requiredSettings()), ...settingOf(address) }
  const users = (...args: string[]) => run(['users', ...args], { folder, settings })
  return { db, users, folder, settings }
}
