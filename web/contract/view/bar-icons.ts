/** Icons of the header: paths of an SVG of 20 units a side, drawn as lines. */
export const bell =
  'M4.5 14h11c-1-1.2-1.5-2.2-1.5-5.5a4 4 0 0 0-8 0c0 3.3-.5 4.3-1.5 5.5ZM8.5 16.5a1.6 1.6 0 0 0 3 0'
export const chevron = 'm6 8 4 4 4-4'
