import { abilities, type Ability } from '../../../web/contract/abilities.ts'

/** Returns whether the abilities granted to a token include the wanted one. */
export function allows(granted: readonly string[], needed: Ability): boolean {
  return granted.includes('*') || granted.includes(needed)
}

export function isAbility(text: unknown): text is Ability {
  return abilities.some((ability) => ability === text)
}

/** Reads stored abilities. One that only another version of the service knows is kept: it allows nothing. */
export function readAbilities(json: string): readonly string[] {
  return (JSON.parse(json) as readonly unknown[]).filter((one) => typeof one === 'string')
}
