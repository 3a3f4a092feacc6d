import type { App } from '../../app.ts'

/** Runs the job `delete-file`: deletes a photo's file that no account has. */
export async function deleteFile(
  app: App,
  { key }: { key: string },
  signal: AbortSignal,
): Promise<void> {
  await app.files.delete(key, signal)
}
