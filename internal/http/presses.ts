import { lifetimes } from '../base/lifetimes.ts'
import { sha256Text } from '../base/crypto/random.ts'
import { fieldsToValidate } from './page/protocol.ts'
import type { Answer } from './answer.ts'
import type { Context } from './context.ts'

/** Something that a person pressed, and what it is answered with. */
interface Press {
  /** The request that brought it first. */
  readonly request: string
  /** Whose login was good then. */
  readonly login: string | undefined
  /** As `performance.now()` has it. */
  readonly at: number
  /** undefined where that cannot be given twice. */
  readonly answer: Promise<Answer | undefined>
}

// Far more than come in a moment: about 6 MB of answers with cookies.
const most = 2_000

/**
 * What was pressed a moment ago, by the ID that the page client gives each press (`X-Page-Press`). Where a connection breaks
 * before any of the answer came, a browser sends a form again by itself (RFC 9110, 9.2.2, has it not), and else the person
 * presses again: the same ID with the same fields is answered as it was, and not done once more. Kept in memory, which is
 * bounded where rows would not be: what was pressed before a start, or came to another server, is not known.
 */
export class Presses {
  readonly #known = new Map<string, Press>()

  /** The answer to the same press before; undefined where it is to be done. */
  async answered(c: Context): Promise<Answer | undefined> {
    const name = nameOf(c)
    if (name === undefined) return undefined
    const before = this.#known.get(name)
    if (before && isFresh(before) && isOfSame(before, c)) {
      const made = await before.answer
      if (made) {
        c.again = before.request
        // It has its cookies.
        c.keepsCookie = true
        return made
      }
    }
    this.#note(name, c)
    return undefined
  }

  #note(name: string, c: Context): void {
    const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
    const press = {
      request: c.id,
      login: c.visitor?.login.id,
      at: performance.now(),
      answer: promise,
    }
    this.#known.delete(name)
    this.#known.set(name, press)
    this.#dropOld()
    c.answered = (made) => {
      resolve(typeof made.body === 'function' ? undefined : made)
      if (!isDone(made) && this.#known.get(name) === press) this.#known.delete(name)
    }
  }

  #dropOld(): void {
    for (const [name, press] of this.#known) {
      if (isFresh(press) && this.#known.size <= most) return
      this.#known.delete(name)
    }
  }
}

/** Of a press that a form came with; undefined for another request. A hash: fields may hold a password. */
function nameOf(c: Context): string | undefined {
  const id = c.header('x-page-press')
  if (!id || !c.fields || !form.test(id)) return undefined
  if (fieldsToValidate(c.protocol, (name) => c.header(name))) return undefined
  const { method, url } = c
  return sha256Text(JSON.stringify([id, method, url, c.header('x-page-user'), ...c.fields]))
}

// Of 16 letters at least, so that no two people have the same.
const form = /^[\w+/=-]{16,128}$/

function isFresh({ at }: Press): boolean {
  return performance.now() - at < lifetimes.press
}

/** Whether nobody has logged in since: an answer that is the other's is not theirs. */
function isOfSame({ login }: Press, { visitor }: Context): boolean {
  return !visitor || visitor.login.id === login
}

/** Whether the answer says what came of it. What was refused, or failed, may do a moment later. */
function isDone({ status }: Answer): boolean {
  return status < 400 || status === 422
}
