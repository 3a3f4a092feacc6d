/** The limits (spec: Limits), as used by the server's rules, by words and by pages. */

/** Characters, counted as code points; names of passkeys and API tokens too. */
export const longestName = 200
export const longestEmail = 254
export const shortestPassword = 8
export const longestPassword = 200

/** The `passwordrules` attribute of a field: Safari and password managers generate passwords by it. */
export const passwordRules = `minlength: ${shortestPassword}; maxlength: ${longestPassword};`

export const photoMegabytes = 2
/** Bytes of a photo. */
export const largestPhoto = photoMegabytes * 1024 * 1024
/** Pixels a side. */
export const widestPhoto = 8192

/** Passkeys of one account. */
export const mostPasskeys = 10
/** API tokens of one account. Far more than anybody needs, but few enough to list quickly. */
export const mostTokens = 500
/** Event streams of a user that may be open at once on one server. */
export const mostStreams = 10

/** How many days an API token is valid; undefined: forever. */
export const tokenDays = { '30': 30, '365': 365, never: undefined } as const

export type TokenExpiry = keyof typeof tokenDays

/** Other browsers that the security page lists: a script may have logged in thousands of times. */
export const mostLogins = 100

/** Where the bell stops counting unread notifications and only says that there are more. */
export const mostUnread = 100

/** Notifications on one page of the list. */
export const notificationsAPage = 20

/** At this number of recovery codes left, or fewer, people are asked to make new ones. */
export const fewCodes = 2

/** Digits of a code of an authenticator app. */
export const codeDigits = 6

export const rememberedDays = 30
export const notificationDays = 90
