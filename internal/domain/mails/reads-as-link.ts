/**
 * Returns whether a mail program may turn part of a name into a link: an address with or without its scheme,
 * in any script (UTS 46 knows four dots), an email or a telephone number. When in doubt, returns true.
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
 * A dot that ends no word or initial: in `t.co` and `203.0.113.5`, but not in `Dr. Ng` or `J.-P. R.S. Lee`.
 */
const dotInside = /\.(?!$|[\s.,;)"'\u2019-]|\p{Lu}(?![\p{L}\p{M}\p{N}]))/u

const longNumber = /\p{Nd}(?:[\s().-]*\p{Nd}){4}/u
