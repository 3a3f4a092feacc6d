import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from '../../internal/testing/chromium/contrast.ts'
import { brandName, brandSentence } from './brand.ts'
import { mark } from './mark.ts'
import { type ColourName, colours } from './colours.ts'

/** The backgrounds of text and its colours on them; likewise of fills, such as a button's. */
const grounds: readonly ColourName[] = ['bg', 'surface', 'accentSoft', 'dangerSoft']
const texts: readonly ColourName[] = ['ink', 'muted', 'accent', 'accentStrong', 'danger']
const fills: readonly ColourName[] = ['accent', 'accentStrong', 'danger']
const onFills: readonly ColourName[] = ['onAccent']
/** The colours of edges that must be visible: of a field, an invalid field, and the focus. */
const edges: readonly ColourName[] = ['control', 'danger', 'accent']
/** The colours of shapes only, which never carry text. */
const shapes: readonly ColourName[] = ['onAccent', 'line']

test('text has a contrast of at least 4.5 with its background, in light and dark', () => {
  const faint = [...tooFaint(texts, grounds, 4.5), ...tooFaint(onFills, fills, 4.5)]
  expect(faint).toEqual([])
})

test('the edges of fields and of the focus have a contrast of at least 3', () => {
  expect(tooFaint(edges, ['bg', 'surface'], 3)).toEqual([])
})

test('every stylesheet uses only colours of text and background whose contrast is checked', () => {
  const compared = new Set([...crossed(texts, grounds), ...crossed(onFills, fills)])
  const stray = rules().flatMap(({ file, selector, text, ground }) => {
    const at = `${file}: ${selector} has`
    if (text && ground)
      return compared.has(`${text} on ${ground}`) ? [] : [`${at} ${text} on ${ground}`]
    return [
      ...(text && ![...texts, ...onFills].includes(text) ? [`${at} text in ${text}`] : []),
      ...(ground && ![...grounds, ...fills, ...shapes].includes(ground)
        ? [`${at} the ground ${ground}`]
        : []),
    ]
  })
  expect(rules().length).toBeGreaterThan(50)
  expect(stray).toEqual([])
})

test('every stylesheet uses only the brand’s colours', () => {
  const own = sheets().flatMap(({ file, css }) =>
    [...css.matchAll(/#[\da-f]{3,8}\b|\brgb|\bhsl|\blab\(|\blch\(/gi)].map(([found]) => ({
      file,
      found,
    })),
  )
  // The backdrop of a dialog, and a mask, of which only the opacity counts.
  const known = new Set(['#0008', '#000'])
  expect(own.filter(({ found }) => !known.has(found))).toEqual([])
})

test('the brand has a name, a sentence and a mark that is a valid path', () => {
  expect(brandName.trim()).not.toBe('')
  expect(Object.values(brandSentence).filter((sentence) => sentence.trim() === '')).toEqual([])
  expect(mark).toMatch(/^M[\d\sa-z.,+-]+$/i)
})

/** Returns the pairs with less than this contrast, each with its ratio. */
function tooFaint(
  upper: readonly ColourName[],
  lower: readonly ColourName[],
  least: number,
): string[] {
  return upper.flatMap((text) =>
    lower.flatMap((ground) =>
      (['light', 'dark'] as const).flatMap((appearance, at) => {
        const [one = '', other = ''] = [colours[text][at], colours[ground][at]]
        const ratio = contrast(one, other)
        if (ratio >= least) return []
        return `${appearance}: ${text} ${one} on ${ground} ${other} has ${ratio.toFixed(2)}, and needs ${least}`
      }),
    ),
  )
}

function crossed(upper: readonly ColourName[], lower: readonly ColourName[]): string[] {
  return upper.flatMap((text) => lower.map((ground) => `${text} on ${ground}`))
}

function sheets(): { file: string; css: string }[] {
  const files = globSync('{web/style.css,web/styles/*.css,cmd/app/dev/mail/mail.css}')
  return files.map((file) => ({
    file,
    css: readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\//gs, ''),
  }))
}

/** Returns the rules that set the colour of text or of its background. */
function rules() {
  return sheets().flatMap(({ file, css }) =>
    [...css.matchAll(/([^{};]+)\{([^{}]*)\}/g)].flatMap(([, selector = '', body = '']) => {
      const text = colourIn(/(?:^|[;\s])color: var\(--([\w-]+)\)/, body)
      const ground = colourIn(/(?:^|[;\s])background(?:-color)?: var\(--([\w-]+)\)/, body)
      return text || ground ? [{ file, selector: selector.trim(), text, ground }] : []
    }),
  )
}

function colourIn(declaration: RegExp, body: string): ColourName | undefined {
  const name = declaration.exec(body)?.[1]
  return name?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) as ColourName
}
