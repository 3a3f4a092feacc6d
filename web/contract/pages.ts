import type { Ability } from './abilities.ts'
import type { Language } from './languages.ts'
import type { PasskeysSignal, UserSignal } from './signals.ts'
import type { CodesState, TwoFactor } from './two-factor.ts'

/** A user as pages see one (contract: JSON of a user). Times are ISO 8601 in UTC. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly emailVerifiedAt: string | null
  /** Whether login takes a code. */
  readonly twoFactor: boolean
  /** Whether the account has a password. */
  readonly password: boolean
  /** A signed link to the photo. */
  readonly photo: string | null
}

/** Props of every page, error pages included (spec: Page delivery 2 and 3). */
export interface SharedProps {
  readonly auth: { readonly user: User | null }
  readonly bell: { readonly unread: number }
  /** One message per field; empty if there are none. */
  readonly errors: Readonly<Record<string, string>>
  /** The language of the page. */
  readonly language: Language
  /**
   * The values of a form that failed, for a browser without JavaScript, or of one refused until the user logs
   * in or confirms who they are; never a password. Several values of a field are joined by spaces.
   */
  readonly old?: Readonly<Record<string, string>>
  /** Set for a guest whose login ended without a logout, until the next login: their typed text is kept. */
  readonly ended?: true
}

/** Props of every page that only users see. */
export interface UserProps extends SharedProps {
  readonly auth: { readonly user: User }
}

/** What the next page shows, once (spec: Page delivery 4). */
export interface Flash {
  readonly success?: string
  readonly error?: string
  readonly recoveryCodes?: readonly string[]
  /** An API token just made, and its ID. */
  readonly token?: string
  readonly tokenId?: number
}

/** A sent mail. It reads the same whether or not an account has the email. */
export interface MailSent {
  /** As it was typed. */
  readonly email: string
  /** The fields of the form that sends the mail again. */
  readonly fields: Readonly<Record<string, string>>
  /** The mail's subject; two if it may have either, so that the page does not reveal which. */
  readonly subjects: readonly string[]
  /** The sender; null if none is configured. */
  readonly from: { readonly name: string; readonly address: string } | null
  /** How many seconds the throttle refuses another mail; 0 if it does not. */
  readonly seconds: number
  /** When that wait ends, by the server's clock. It lets the client recognize a new wait. */
  readonly until: string
}

/** A form that sends a mail. */
interface MailForm {
  /** Replaces the form once the mail was sent. */
  readonly sent?: MailSent
  /** The initial values of the form's fields, if the person wants the mail sent to another address. */
  readonly typed?: Readonly<Record<string, string>>
}

/** Each page's own props, by component name. */
export interface Pages {
  Home: object
  /** `passkeys`: how many there are. */
  Dashboard: CodesState & { readonly passkeys: number }
  /**
   * `again`: the URL of the request, if retrying may help. `reference`: the request's ID, by which its log
   * lines are found, if the person may want to ask for help. `detail`: the error's stack, with APP_DEBUG
   * only.
   */
  Error: {
    /** The HTTP status; 0 if the page client made the page itself because there was no answer. */
    readonly status: number
    readonly message: string
    readonly again?: string
    readonly reference?: string
    readonly detail?: string
  }
  'Auth/Login': object
  'Auth/Register': MailForm & { readonly links?: AgreementLinks }
  'Auth/VerifyEmail': { readonly email: string; readonly sent: MailSent }
  'Auth/ForgotPassword': MailForm
  /** `valid`: whether the link can still set a password. */
  'Auth/ResetPassword': { readonly token: string; readonly email: string; readonly valid: boolean }
  /** `passkey`: whether the user has one. */
  'Auth/ConfirmPassword': { readonly passkey: boolean }
  'Auth/TwoFactorChallenge': object
  'Auth/RegisterPasskey': {
    readonly email: string
    readonly name: string
    readonly token: string
    readonly links?: AgreementLinks
  }
  /** `onlyUnread`: whether the list omits notifications that were read. */
  Notifications: { readonly notifications: NotificationList; readonly onlyUnread: boolean }
  /** `passkey`: whether the user has one. `signal` tells browsers the user's current name and email. */
  'Settings/Profile': { readonly passkey: boolean; readonly signal: UserSignal | null }
  'Settings/Security': {
    readonly logins: readonly BrowserLogin[]
    /** Whether there are more than these. */
    readonly moreLogins: boolean
    readonly passkeys: readonly Passkey[]
    readonly twoFactor: TwoFactor
    /** Only in a partial reload that names it. */
    readonly recoveryCodes?: readonly string[]
    /** The number of API tokens, expired ones included. */
    readonly apiTokens: number
    /** Tells browsers which passkeys are still valid; null for a user who never had one. */
    readonly signal: PasskeysSignal | null
  }
  'Settings/Tokens': {
    readonly tokens: readonly ApiToken[]
    /** The IDs of the tokens that have expired. */
    readonly expired: readonly number[]
    /** The abilities that a new token can have. */
    readonly abilities: readonly Ability[]
    /** The full URL of the API call with which people try a token. */
    readonly tryAt: string
  }
  'Settings/Appearance': object
}

/** What people agree to by creating an account: full URLs, absent if not configured. */
export interface AgreementLinks {
  readonly terms?: string
  readonly privacy?: string
}

/** One of the browsers an account is logged in from. */
export interface BrowserLogin {
  /** Hex of the row's key. */
  readonly id: string
  /** `<browser> on <system>`. */
  readonly browser: string
  readonly address: string
  readonly loggedInAt: string
  readonly lastSeenAt: string
  /** Whether this is the browser that shows the page. */
  readonly current: boolean
  /** The kind of device the browser runs on; null if unknown. */
  readonly device: Device | null
}

export type Device = 'desktop' | 'phone' | 'tablet'

export interface Passkey {
  readonly id: number
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** The password manager that stores the passkey, such as `1Password`; null if unknown. */
  readonly provider: string | null
  /** Whether the passkey is synced, and so available on other devices of the user. */
  readonly synced: boolean
}

/** An API token as listed; the token itself is not stored. */
export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly abilities: readonly string[]
  /** null: the token does not expire. */
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** One page of a user's notifications, newest first. */
export type NotificationList = Paged<NotificationLine>

/** One page of a list. */
export interface Paged<Row> {
  readonly data: readonly Row[]
  /** From 1. */
  readonly page: number
  /** At least 1. */
  readonly pages: number
  /** The number of rows on all pages. */
  readonly total: number
}

export interface NotificationLine {
  readonly id: number
  readonly kind: string
  /** In the reader's language, which `language` names (BCP 47). */
  readonly text: string
  readonly language: string
  /** The page for acting on it; null for a kind that this version does not know. */
  readonly href: string | null
  /** The IP address of a new login; null for other kinds. */
  readonly address: string | null
  readonly createdAt: string
  readonly readAt: string | null
  /** Whether it was unread before it was shown here. */
  readonly unread: boolean
}

export type PageName = keyof Pages

/** The pages that only users see. */
export type UserPage =
  | 'Auth/ConfirmPassword'
  | 'Auth/VerifyEmail'
  | 'Dashboard'
  | 'Notifications'
  | Extract<PageName, `Settings/${string}`>

export type PageProps<Name extends PageName> = Pages[Name] &
  (Name extends UserPage ? UserProps : SharedProps)

/** What a page is drawn from: its props, and the flash, some of which stands in the page and not in a toast. */
export type PageComponentProps<Name extends PageName> = PageProps<Name> & { readonly flash: Flash }

/** The page object of the page protocol (contract: Page protocol). */
export interface Page<Name extends PageName = PageName> {
  readonly component: Name
  readonly props: PageProps<Name>
  /** Path and query, as the address bar shows it. */
  readonly url: string
  /** The build that made the page. */
  readonly version: string
  readonly flash: Flash
  /** Whether history entries are stored encrypted. */
  readonly encryptHistory: boolean
  /** Whether the entries stored so far must become unreadable. */
  readonly clearHistory: boolean
  /** When the client received the page, in milliseconds of its clock; absent on a document's page. */
  readonly answered?: number
}
