import { isLanguage, type Language } from '../../web/contract/languages.ts'
import { serverWords, type ServerWords } from '../../web/contract/words/server-words.ts'
import { Arrived } from './arrived.ts'
import type { Answer } from './answer.ts'
import { nameOf } from './session/replaced-cookies.ts'
import { emptySession, type Session } from './session/session.ts'
import type { Visitor } from '../domain/logins/check-login.ts'
import type { Fields } from './body/fields.ts'
import { type Opened, unopened } from './session/session-store.ts'
import type { Browser } from '../domain/logins/make-login.ts'

/** The outcome of a press: its answer, less the session's cookie, and the session before and after it. */
export interface PressOutcome {
  readonly answer: Answer
  readonly before: Session
  readonly after: Session
}

const addressItself = (_: Context, address: string): string => address

/** A browser's request, which has a session: what guards and handlers receive. */
export class Context extends Arrived {
  session: Session = emptySession
  /** The session as the request brought it; undefined if it was not needed or could not be read. */
  opened: Opened | undefined
  /** The fields of the submitted form, once it is read. */
  fields: Fields | undefined
  /**
   * The page of the request: its own URL for a GET, the page that holds the form for a form; undefined if
   * none.
   */
  ownPage: string | undefined
  /**
   * Returns the page that an address of this site leads back to; undefined if none. All requests share one
   * function: one for each, which holds its request, took a quarter more memory after ten thousand pages.
   */
  pageAt: (c: Context, address: string) => string | undefined = addressItself
  /** Whether the answer leaves the session alone, so as not to undo what another request may have set. */
  keepsCookie = false
  /** Whether the document shows a guest the outcome of a form. */
  showsForm = false
  /** Whether the request was refused: a repeated press then tries again instead of repeating the answer. */
  isRefused = false
  /** Call with the outcome of the press, or nothing if nothing was done; undefined if this is no press. */
  settlePress: ((outcome?: PressOutcome) => void) | undefined
  visitor: Visitor | undefined
  /** The language chosen by this very request. */
  chosenLanguage: Language | undefined
  /** Why session or user could not be read; the page is then shown as for a guest, unless it is for users. */
  failure: unknown

  /** The language the person chose: just now, for the account, or in this browser. */
  get languageOfChoice(): Language | undefined {
    const ofUser = this.visitor?.user.language
    return this.chosenLanguage ?? (isLanguage(ofUser) ? ofUser : this.languageInCookie)
  }

  /** The language of the answer: the chosen one, else the browser's. */
  get language(): Language {
    return this.languageOfChoice ?? this.browserLanguage
  }

  get words(): ServerWords {
    return serverWords[this.language]
  }

  /** The browser, including the name of the session cookie it sent. */
  override get browser(): Browser {
    return { ...super.browser, sessionName: nameOf(this.opened ?? unopened) }
  }

  // Without this type, TypeScript does not see this class as narrower than Arrived where a form mixes rules
  // of both.
  get sender(): Arrived['sender'] {
    return { user: this.visitor?.user.id }
  }
}

/** The context of a logged-in user, as handlers of routes for users receive it. */
export type UserContext = Context & { readonly visitor: Visitor }
