import { join } from 'node:path'
import { fill } from '../../../internal/testing/database/fill-database.ts'
import { newFolder, run } from './servers.ts'

/** Creates a folder with a database of `users` users, `emailOf(1)` and so on. */
export async function createFilledDatabase(
  users: number,
): Promise<{ folder: string; database: string }> {
  const folder = newFolder()
  const database = join(folder, 'app.db')
  const { code, stderr } = await run(['migrate'], { folder })
  if (code !== 0) throw new Error(`The database was not made: ${stderr}`)
  await fill({ file: database }, users)
  return { folder, database }
}
