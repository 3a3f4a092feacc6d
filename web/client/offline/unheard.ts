import { offline as words } from '#words/client/offline'
import type { Client } from '../core/client-api.ts'

/** Session storage key that says that the previous document was left while a form was in flight. */
const leftUnheard = 'leftUnheard'

/** Whether a form is in flight as its document starts to be left. */
let isUnheard = false

/** Records for this tab's next document that this one was left before a form had its answer. */
export function noteUnheard({ typing }: Client): void {
  // Read before the page is left: some browsers then abort the request.
  addEventListener('beforeunload', () => {
    isUnheard = typing.sent !== undefined
  })
  addEventListener('pagehide', () => {
    if (isUnheard) sessionStorage.setItem(leftUnheard, '')
  })
}

/** Handles an answer that comes after all, while the next document is still loading. */
export function dropUnheard(): void {
  isUnheard = false
}

/** Says that the outcome of a form is unknown, unless the page has a message about it. */
export function tellUnheard({ shown, toast }: Client): void {
  const isLeft = sessionStorage.getItem(leftUnheard) !== null
  sessionStorage.removeItem(leftUnheard)
  const { flash, props } = shown()
  const isSaid = flash.success ?? flash.error ?? Object.values(props.errors)[0]
  if (isLeft && !isSaid) toast('error', words.unheard)
}
