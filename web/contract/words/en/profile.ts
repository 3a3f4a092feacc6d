import { photoMegabytes } from '../../limits.ts'

export const profile = {
  heading: 'Profile',
  photo: 'Photo',
  photoHint: `A PNG, a JPEG or a WebP of at most ${photoMegabytes} MB.`,
  /** In a browser that crops it. */
  photoHintAnySize: 'A PNG, a JPEG or a WebP: choose, drop or paste it.',
  choose: 'Choose a photo',
  crop: 'The part of your photo that is kept',
  cropHow:
    'Drag the photo to move it; scroll or pinch to zoom. With the keyboard: the arrow keys, + and −.',
  zoom: 'Zoom',
  cancelCrop: 'Cancel',
  cropAt: (zoom: string, left: string, top: string) =>
    `Zoom ${zoom}. The middle is ${left} from the left and ${top} from the top.`,
  details: 'Who you are',
  verified: 'Your email is verified.',
  notVerified: 'Your email is not verified yet.',
  newEmail: 'A new email counts as yours once you have followed the link that we mail to it.',
  danger: 'Danger zone',
  dangerText:
    'Deletes your account with all that belongs to it: photo, passkeys, API tokens, logins and notifications. It cannot be undone.',
  sure: 'Delete your account?',
  sureText: 'It is deleted at once, and nobody can bring it back.',
  keep: 'Keep it',
  surePasskey:
    'It is deleted at once, and nobody can bring it back. Your passkey is asked for, so that nobody else does it.',
  unable: 'Your browser cannot use a passkey as it is. Set a password first, which then does it.',
} as const
