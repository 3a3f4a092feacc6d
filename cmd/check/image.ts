import { resolve } from 'node:path'
import { buildImage } from './build-image.ts'
import { check, need } from './machine.ts'
import { tryImage } from './try-image.ts'

const programs = {
  buildah: 'buildah',
  debootstrap: 'debootstrap',
  setpriv: 'util-linux',
  unshare: 'util-linux',
}

/** `npm run check:image`: builds the image and runs it. Leaves nothing behind. */
await check('The image', async (folder) => {
  need(programs)
  await tryImage(folder, buildImage(folder, resolve(import.meta.dirname, '../..')))
})
