import { open } from 'node:fs/promises'

/** Flushes a folder's entries to disk: else a power cut may undo that a file was made, renamed or deleted. */
export function syncFolder(folder: string): Promise<void> {
  return sync(folder, 'r')
}

/** Flushes what was written into a file to disk. */
export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+')
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    // A failure to close loses nothing, and must not hide why the flush failed.
    await handle.close().catch(() => {})
  }
}
