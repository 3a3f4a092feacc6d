import { lchown, lstat, stat } from 'node:fs/promises'
import { shellWord } from '../text/shell-word.ts'
import { nearest } from './nearest.ts'

/** Gives a newly made file or folder to the user it is for. */
export type SetOwner = (path: string) => Promise<void>

/** Leaves the file or folder to the user who made it. */
export const leaveOwner: SetOwner = async () => {}

/**
 * Returns a function that gives files which root makes in a place to the owner of the place as it is now, or
 * of the nearest folder above it: a server that runs as another user could not open root's. If that fails,
 * `advise` is called once.
 */
export async function makeSetOwner(
  place: string,
  advise: (advice: string) => void,
): Promise<SetOwner> {
  if (process.getuid?.() !== 0) return leaveOwner
  const { uid, gid } = await stat(await nearest(place))
  let isAdvised = false
  return async (path) => {
    // Never through a link: the folder's owner may have put one there meanwhile, to a file of root's.
    const stats = await lstat(path)
    // On a disk with one owner for all files there is nothing to do, and `chown` would be refused.
    if (stats.uid === uid && stats.gid === gid) return
    await lchown(path, uid, gid).catch(({ message }: Error) => {
      if (!isAdvised) advise(ownerAdvice({ place, whose: `${uid}:${gid}`, message }))
      isAdvised = true
    })
  }
}

function ownerAdvice({
  place,
  whose,
  message,
}: Record<'place' | 'whose' | 'message', string>): string {
  return `${place} belongs to root now, and could not be given to ${whose} as before: ${message}. Run \`chown -R ${whose} ${shellWord(place)}\`, or a server of that user cannot open it.`
}
