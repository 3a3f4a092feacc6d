/** A colour in the light appearance and in the dark one: `#` and hexadecimal digits. */
type Colour = readonly [light: `#${string}`, dark: `#${string}`]

/**
 * Every colour of pages, mails, icon and pictures. Stylesheets have them as custom properties: `onAccent` as
 * `var(--on-accent)`. `npm run check` reports insufficient contrasts.
 */
// oxfmt-ignore
export const colours = {
  // Backgrounds: of the page, and of cards, fields and the header.
  bg:           ['#f5f8f5',   '#0b110f'],
  surface:      ['#ffffff',   '#121a17'],
  // Text, and secondary text.
  ink:          ['#10201a',   '#e9f1ed'],
  muted:        ['#51625a',   '#9bada4'],
  // Separators, and the borders of fields and buttons.
  line:         ['#dce5df',   '#24312b'],
  control:      ['#7f8f87',   '#64776e'],
  // The brand: for links, the main button and the mark; hovered; for text on it; as a tint.
  accent:       ['#0b6b4f',   '#63d6ab'],
  accentStrong: ['#07503b',   '#86e5c1'],
  onAccent:     ['#ffffff',   '#04231a'],
  accentSoft:   ['#e0f0e8',   '#143026'],
  // Errors, and what cannot be undone.
  danger:       ['#b3261e',   '#ff9c92'],
  dangerSoft:   ['#fdecea',   '#2b1614'],
  shadow:       ['#0c2a1e14', '#00000088'],
} as const satisfies Readonly<Record<string, Colour>>

export type ColourName = keyof typeof colours
