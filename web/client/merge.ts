import type { Page } from '../contract/pages.ts'

type Errors = Readonly<Record<string, string>>

/** The page's errors after a check of the fields asked for: those that are right now lose theirs. */
export function mergeErrors(errors: Errors, asked: Iterable<string>, failing: Errors): Errors {
  const right = new Set(asked)
  const others = Object.entries(errors).filter(([field]) => !right.has(field))
  return { ...Object.fromEntries(others), ...failing }
}

/**
 * What a reload leaves on the page: of a partial one the props that were not asked for; of any the errors of
 * a form being filled in, and the flash that the page shows in place (spec: Page delivery 4).
 */
export function mergeReload(shown: Page, answer: Page, partial: boolean): Page {
  if (answer.component !== shown.component) return answer
  const { success: _told, error: _toldToo, ...inPlace } = shown.flash
  return {
    ...answer,
    props: { ...(partial && shown.props), ...answer.props, errors: shown.props.errors },
    flash: { ...inPlace, ...answer.flash },
  }
}

/** What the history keeps of a page: nothing that is told once, and no errors of text that it does not keep. */
export function keepable(page: Page): Page {
  const { old: _typed, ...props } = page.props
  return { ...page, props: { ...props, errors: {} }, flash: {}, clearHistory: false }
}
