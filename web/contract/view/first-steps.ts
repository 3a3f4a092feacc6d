import { dashboard } from '#words/dashboard'
import { fewCodes } from '../limits.ts'
import { paths } from '../paths.ts'
import type { PageProps, SharedProps, User } from '../pages.ts'

export interface Step {
  readonly title: string
  readonly text: string
  readonly href: string
  readonly isDone: boolean
}

/** Returns what completes and secures an account: the remaining steps, and how many of how many are done. */
export function firstSteps(
  user: User,
  { passkeys, codesLeft, codesSaved }: Omit<PageProps<'Dashboard'>, keyof SharedProps>,
): { readonly remaining: readonly Step[]; readonly done: number; readonly total: number } {
  const { verify, passkey, twoFactor, codes, saved, photo } = dashboard.steps
  const security = paths['security.edit']
  const steps: Step[] = [
    { ...verify, href: paths['verification.notice'], isDone: user.emailVerifiedAt !== null },
    { ...passkey, href: `${security}#passkeys`, isDone: passkeys > 0 },
    { ...photo, href: `${paths['profile.edit']}#picture`, isDone: user.photo !== null },
  ]
  // A login without a password needs no code.
  if (user.password || user.twoFactor) {
    steps.splice(2, 0, { ...twoFactor, href: `${security}#two-factor`, isDone: user.twoFactor })
  }
  if (codesLeft !== null) {
    const areFew = codesLeft <= fewCodes
    const step = areFew ? codes : saved
    steps.splice(3, 0, {
      ...step,
      href: `${security}#two-factor`,
      isDone: !areFew && codesSaved,
    })
  }
  const remaining = steps.filter(({ isDone }) => !isDone)
  return { remaining, done: steps.length - remaining.length, total: steps.length }
}
