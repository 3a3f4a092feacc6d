import { open } from 'node:fs/promises'

/** Has the disk keep which entries a folder has: a file that was renamed is otherwise there only until a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    // Only read: what fails here must not hide why the disk did not keep it.
    await opened.close().catch(() => {})
  }
}
