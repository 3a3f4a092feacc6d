/**
 * Whether a mail program may make a link of some part of a name: of an address with or without its scheme, in any
 * script (UTS 46 knows four dots), of an email or of a telephone number. In doubt it may.
 */
export function readsAsLink(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replaceAll('\u3002', '.')
  return separator.test(plain) || dotInside.test(plain) || longNumber.test(plain)
}

const separator = /[/\\@:\u2044\u2215]/

/**
 * A dot that ends no word and no initial: in `t.co` and `203.0.113.5`, but neither in `Dr. Ng` nor in `J.-P. R.S. Lee`.
 */
const dotInside = /\.(?!$|[\s.,;)"'\u2019-]|\p{Lu}(?![\p{L}\p{M}\p{N}]))/u

const longNumber = /\p{Nd}(?:[\s().-]*\p{Nd}){4}/u
