/** Icons of the pages for users: paths of an SVG of 20 units a side, drawn as lines. */

/** An arrow, for a link to another page. */
export const arrow = 'm8 6 4 4-4 4'
/** Something yet to come. */
export const spark =
  'M10 3v3.5M10 13.5V17M3 10h3.5M13.5 10H17M5.1 5.1l2.4 2.4M12.5 12.5l2.4 2.4M14.9 5.1l-2.4 2.4M7.5 12.5l-2.4 2.4'
/** A passkey. */
export const key = 'M16.5 7.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm-6.9 2.9-6.1 6.1m2.2-2.2 2 2'
/** A program: the characters `</>`. */
export const program = 'M6.5 6.5 3 10l3.5 3.5M13.5 6.5 17 10l-3.5 3.5M11.3 4.5l-2.6 11'
/** An empty tray. */
export const tray = 'M3 11.5 5 4.5h10l2 7v4a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-4Zm0 0h4l1 2h4l1-2h4'

/** Kinds of devices; `other` if the browser does not say. */
export const deviceIcons = {
  desktop:
    'M3.5 4.5h13a.5.5 0 0 1 .5.5v8a.5.5 0 0 1-.5.5h-13A.5.5 0 0 1 3 13V5a.5.5 0 0 1 .5-.5ZM7 16.5h6M10 13.5v3',
  phone: 'M7 2.5h6a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9.2 15h1.6',
  tablet: 'M5 2.5h10a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9 15h2',
  other:
    'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM2.5 10h15M10 2.5c2 2 3 4.6 3 7.5s-1 5.5-3 7.5c-2-2-3-4.6-3-7.5s1-5.5 3-7.5Z',
} as const
