import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { embedded } from '../../../internal/base/program/embedded.ts'

/** Prints the notices of all that the build put in, and in the image also those of the packages of Debian beside it. */
export async function printLicenses(): Promise<number> {
  console.log(
    [Buffer.from(embedded().read('licenses.txt')).toString(), ...debianNotices('/')].join('\n'),
  )
  return 0
}

/** The notices of the Debian packages in our image, which has no dpkg, but `status.d`. Elsewhere none. */
export function debianNotices(root: string): string[] {
  const records = join(root, 'var/lib/dpkg/status.d')
  if (!existsSync(records)) return []
  return readdirSync(records).map((name) => {
    const text = readFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'utf8')
    return `\n==== ${name}, of Debian, beside it in the image ====\n\n${text}`
  })
}
