import { open } from 'node:fs/promises'

/** Has the disk keep which entries a folder has: a file that was renamed is otherwise there only until a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
