import { open } from 'node:fs/promises'
import { errorCode } from '../error-code.ts'

/**
 * Flushes a folder's entries to disk: else a power cut may undo that a file was made, renamed or deleted. Where folders
 * cannot be flushed, on Windows and on some network disks, this is left to the system.
 */
export async function syncFolder(folder: string): Promise<void> {
  // It refuses to flush what is not open for writing, as a folder never is, and keeps a journal of its entries.
  if (process.platform === 'win32') return
  await sync(folder, 'r').catch((error: unknown) => {
    if (!/^(EINVAL|ENOTSUP)$/.test(errorCode(error))) throw error
  })
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
