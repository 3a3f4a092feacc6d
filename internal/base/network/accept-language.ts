import { withoutSpace } from '../text/optional-space.ts'
// The most bytes and ranges that are read. Browsers send about fifty bytes and ten ranges.
const longest = 1000
const most = 20

/**
 * Returns the offered language that an Accept-Language prefers; undefined if it accepts none. A range such as
 * `de-AT` finds `de` (RFC 4647, 3.4, lookup); of ranges with equal weight, the first wins.
 */
export function preferredLanguage<Offered extends string>(
  header: string | undefined,
  offered: readonly Offered[],
): Offered | undefined {
  if (!header) return undefined
  const ranges = header.slice(0, longest).toLowerCase().split(',', most).map(rangeOf)
  for (const { tag } of ranges.filter(({ weight }) => weight > 0).toSorted(byWeight)) {
    const match = offered.find((language) => isWithin(tag, language.toLowerCase()))
    if (match !== undefined) return match
  }
  return undefined
}

interface Range {
  readonly tag: string
  /** 0 to 1; 0 refuses the language. */
  readonly weight: number
}

function rangeOf(text: string): Range {
  const [tag = '', ...parameters] = text.split(';').map(withoutSpace)
  const q = parameters.find((parameter) => parameter.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return { tag, weight: weight >= 0 && weight <= 1 ? weight : 0 }
}

function byWeight(one: Range, other: Range): number {
  return other.weight - one.weight
}

function isWithin(tag: string, language: string): boolean {
  return tag === language || tag.startsWith(`${language}-`)
}
