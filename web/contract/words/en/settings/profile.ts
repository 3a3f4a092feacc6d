import { isolated } from '../../isolated.ts'
import { photoMegabytes } from '../../../limits.ts'

export const profile = {
  heading: 'Profile',
  photo: 'Photo',
  photoHint: `A PNG, a JPEG or a WebP of at most ${photoMegabytes} MB.`,
  /** With JavaScript, which crops the photo: it may be of any size. */
  photoHintAnySize: 'A PNG, a JPEG or a WebP: choose, drop or paste it.',
  choose: 'Choose a photo',
  crop: 'The part of your photo that is kept',
  cropHow:
    'Drag the photo to move it, or press what is to be in the middle; scroll or pinch to zoom. With the keyboard: the arrow keys, + and −.',
  zoom: 'Zoom',
  cancelCrop: 'Cancel',
  cropAt: (zoom: string, left: string, top: string) =>
    `Zoom ${zoom}. The middle is ${left} from the left and ${top} from the top.`,
  details: 'About you',
  verified: (email: string) => `${isolated(email)} is verified.`,
  notVerified: (email: string) => `${isolated(email)} is not verified yet.`,
  newEmail: 'A new email is verified once you open the link we mail to it.',
  danger: 'Delete your account',
  dangerText:
    'Everything that belongs to it goes with it: photo, passkeys, API tokens, logins and notifications. It cannot be undone.',
  sure: 'Delete your account?',
  sureText: 'It is deleted at once, and nobody can bring it back.',
  keep: 'Keep it',
  surePasskey:
    'It is deleted at once, and nobody can bring it back. You confirm it with your passkey, so that nobody else can.',
  unable:
    'Your browser cannot use a passkey right now. Set a password first, and confirm with that.',
} as const
