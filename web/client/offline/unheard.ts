import { offline as words } from '#words/offline'
import type { Client } from '../core/client-api.ts'

/** Where session storage says that the document before this one was left while a form was on its way. */
const leftUnheard = 'leftUnheard'

/** Whether a form is on its way as its document begins to be left. */
let isUnheard = false

/** Notes for the next document of this tab when this one is left before a form has its answer. */
export function noteUnheard({ typing }: Client): void {
  // Noted as the leaving begins: some browsers end the request then.
  addEventListener('beforeunload', () => {
    isUnheard = typing.sent !== undefined
  })
  addEventListener('pagehide', () => {
    if (isUnheard) sessionStorage.setItem(leftUnheard, '')
  })
}

/** The form has its answer after all: the next document takes as long as that to come. */
export function dropUnheard(): void {
  isUnheard = false
}

/** Tells that nobody knows what came of a form, unless the page says it. */
export function tellUnheard({ shown, toast }: Client): void {
  const isLeft = sessionStorage.getItem(leftUnheard) !== null
  sessionStorage.removeItem(leftUnheard)
  const { flash, props } = shown()
  const isSaid = flash.success ?? flash.error ?? Object.values(props.errors)[0]
  if (isLeft && !isSaid) toast('error', words.unheard)
}
