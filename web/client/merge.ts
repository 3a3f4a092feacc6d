import type { Page } from '../contract/pages.ts'

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

/**
 * What the history keeps of a page: nothing that is told once or was asked for alone, and no errors of text that it does
 * not keep.
 */
export function keepable(page: Page): Page {
  const all: Page['props'] & { readonly recoveryCodes?: unknown } = page.props
  const { old: _typed, recoveryCodes: _asked, ...props } = all
  return { ...page, props: { ...props, errors: {} }, flash: {}, clearHistory: false }
}
