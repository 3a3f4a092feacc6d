import { lchown, lstat, stat } from 'node:fs/promises'
import { shellWord } from '../shell-word.ts'
import { nearest } from './nearest.ts'

/** Has a file or folder that was just made belong to whom it is for. */
export type SetOwner = (path: string) => Promise<void>

/** Leaves it with whoever made it. */
export const leaveOwner: SetOwner = async () => {}

/**
 * Has what root makes from here on in a place belong to whose the place is now, or the first folder above it: a server
 * that runs as another user could not open it. Where the system does not let root, `advise` is told once.
 */
export async function makeSetOwner(
  place: string,
  advise: (advice: string) => void,
): Promise<SetOwner> {
  if (process.getuid?.() !== 0) return leaveOwner
  const { uid, gid } = await stat(await nearest(place))
  let isTold = false
  return async (path) => {
    // Never through a link: its owner may have put one there meanwhile, to a file that is root's.
    const made = await lstat(path)
    // Where a disk has one owner for all there is nothing to be given, and it would be refused.
    if (made.uid === uid && made.gid === gid) return
    await lchown(path, uid, gid).catch(({ message }: Error) => {
      if (!isTold) advise(ungiven({ place, whose: `${uid}:${gid}`, message }))
      isTold = true
    })
  }
}

function ungiven({ place, whose, message }: Record<'place' | 'whose' | 'message', string>): string {
  return `${place} belongs to root now, and could not be given to ${whose} as before: ${message}. Run \`chown -R ${whose} ${shellWord(place)}\`, or a server of that user cannot open it.`
}
