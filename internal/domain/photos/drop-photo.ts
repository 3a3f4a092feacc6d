import { push } from '../../services/jobs/push.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

/**
 * Pushes the deletion of a photo's file, in the transaction after which no account has it; null is no photo.
 */
export async function dropPhoto(app: App, tx: Tx, photo: string | null): Promise<void> {
  if (photo !== null) await push(app, tx, 'delete-file', { key: photo })
}
