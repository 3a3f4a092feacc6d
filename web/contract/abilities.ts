/** What a token can be allowed to do (spec: Settings); `*` is everything. */
export const abilities = ['user:read', '*'] as const

export type Ability = (typeof abilities)[number]
