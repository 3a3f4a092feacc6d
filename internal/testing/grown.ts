/** The tables that have the more rows the more people there are. */
export const grown = [
  'users',
  'logins',
  'browsers',
  'access_tokens',
  'passkeys',
  'notifications',
  'throttles',
  'jobs',
  'sessions',
  'cache',
  'broadcasts',
]

/** Whether a name in the plan of a statement is one of them, or what the statement calls it. */
export function isGrown(name: string, sql: string): boolean {
  if (name === '') return false
  const [, called = name] = new RegExp(`\\b(?:FROM|JOIN) (\\w+)(?: AS)? ${name}\\b`).exec(sql) ?? []
  return grown.includes(called)
}
