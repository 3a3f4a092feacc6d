import { open } from 'node:fs/promises'

/** Has the disk keep which entries a folder has: a file that was renamed is otherwise there only until a power cut. */
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
    // Nothing was written: what fails here must not hide why the disk did not keep it.
    await opened.close().catch(() => {})
  }
}
