/** Small drawings of the pages of those who are logged in: paths of an SVG of 20 units a side, as lines. */

/** The way to another page. */
export const onward = 'm8 6 4 4-4 4'
/** Something that is yet to come. */
export const spark =
  'M10 3v3.5M10 13.5V17M3 10h3.5M13.5 10H17M5.1 5.1l2.4 2.4M12.5 12.5l2.4 2.4M14.9 5.1l-2.4 2.4M7.5 12.5l-2.4 2.4'
