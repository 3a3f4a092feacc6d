import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embedded } from '../../../internal/base/program/embedded.ts'

/** Prints the license notices of everything in the build and, in the image, of the Debian packages beside it. */
export async function printLicenses(): Promise<number> {
  console.log(
    [Buffer.from(embedded().read('licenses.txt')).toString(), ...debianNotices('/')].join('\n'),
  )
  return 0
}

/** Returns the notices of the Debian packages in our image, which has `status.d` instead of dpkg; none elsewhere. */
export function debianNotices(root: string): string[] {
  const records = join(root, 'var/lib/dpkg/status.d')
  if (!existsSync(records)) return []
  return readdirSync(records).map((name) => {
    const text = readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8')
    return `\n==== ${name}, of Debian, beside it in the image ====\n\n${text}`
  })
}
