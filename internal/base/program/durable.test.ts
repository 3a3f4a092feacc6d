import { join } from 'node:path'
import { expect, test } from 'vitest'
import { syncFolder } from './durable.ts'

test.runIf(process.platform === 'linux')(
  'a folder that its file system cannot flush is no error, but a missing one is',
  async () => {
    // The kernel's own file systems refuse to flush a folder (EINVAL), as some network disks do.
    await expect(syncFolder('/proc')).resolves.toBeUndefined()
    await expect(syncFolder(join('/proc', 'missing'))).rejects.toThrow('ENOENT')
  },
)
