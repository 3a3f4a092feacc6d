/** How much there may be of a thing (spec: Limits). Rules of the server, words and pages take it from here. */

/** Characters, counted as code points; names of passkeys and API tokens too. */
export const longestName = 200
export const longestEmail = 254
export const shortestPassword = 8
export const longestPassword = 200

/** The attribute `passwordrules` of a field: Safari and password managers read it when they make a password. */
export const passwordRules = `minlength: ${shortestPassword}; maxlength: ${longestPassword};`

export const photoMegabytes = 2
/** Bytes of a photo. */
export const largestPhoto = photoMegabytes * 1024 * 1024
/** Pixels a side. */
export const widestPhoto = 8192

/** Passkeys of one account. */
export const mostPasskeys = 10
/** API tokens of one account. Far more than anybody needs, but so few that the list of them is soon shown. */
export const mostTokens = 500
/** Event streams of a user that are open at once on one server. */
export const mostStreams = 10

/** How many days an API token can be used; undefined: without end. */
export const tokenDays = { '30': 30, '365': 365, never: undefined } as const

export type TokenExpiry = keyof typeof tokenDays

/** Browsers that the security page lists beside one's own: a script may have logged in thousands of times. */
export const mostLogins = 100

/** Unread notifications are counted up to this number; from it on the bell only says that there are more. */
export const mostUnread = 100

/** Notifications on one page of the list. */
export const notificationsAPage = 20

/** When no more recovery codes than these are left, people are asked to make new ones. */
export const fewCodes = 2

/** Digits of a code of an authenticator app. */
export const codeDigits = 6

export const rememberedDays = 30
export const notificationDays = 90
