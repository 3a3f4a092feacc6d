import { open } from 'node:fs/promises'

/** Has the disk keep the entries of a folder: else a power cut may undo that a file was made, renamed or deleted. */
export function syncFolder(folder: string): Promise<void> {
  return sync(folder, 'r')
}

/** Has the disk keep what was written into a file. */
export function syncFile(path: string): Promise<void> {
  return sync(path, 'r+')
}

async function sync(path: string, flags: string): Promise<void> {
  const opened = await open(path, flags)
  try {
    await opened.sync()
  } finally {
    // A failure to close loses nothing, and must not hide why the disk did not keep the file.
    await opened.close().catch(() => {})
  }
}
