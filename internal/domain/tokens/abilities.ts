import { abilities, type Ability } from '../../../web/contract/abilities.ts'

/** Whether a token with the abilities that were granted may do what takes the one that is wanted. */
export function allows(granted: readonly string[], wanted: Ability): boolean {
  return granted.includes('*') || granted.includes(wanted)
}

export function isAbility(text: unknown): text is Ability {
  return abilities.some((ability) => ability === text)
}

/** Abilities as they are stored. One that only another version of the service knows stays in: it allows nothing here. */
export function readAbilities(json: string): readonly string[] {
  return (JSON.parse(json) as readonly unknown[]).filter((one) => typeof one === 'string')
}
