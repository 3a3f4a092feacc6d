/** Returns what is named where a README says what a change touches. */
export function pathsOfChanges(readme: string): string[] {
  return ['To build…', 'To change what is there…'].flatMap((heading) => pathsIn(readme, heading))
}

/** Returns the paths that a section of a README names, from its heading to the next. */
export function pathsIn(readme: string, heading: string): string[] {
  const [, part = ''] = readme.split(`### ${heading}\n`)
  const [own = ''] = part.split('\n### ')
  const words = [...own.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  return words.filter((word) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(word) && /[/.]/.test(word))
}
