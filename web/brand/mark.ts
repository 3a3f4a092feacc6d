/**
 * The mark, a keyhole that is also a person: the `d` of a path in a square of 32 units. It is drawn in
 * `onAccent` on a rounded square of `accent`, and large in `accent` on the landing page. A mark of several
 * shapes has them all in this path. Not in `brand.ts`, which the script of every page includes: the server
 * draws the login page's mark.
 */
export const mark =
  'M16 6a5.5 5.5 0 0 0-3 10.1L10.6 25a1 1 0 0 0 1 1.3h8.8a1 1 0 0 0 1-1.3L19 16.1A5.5 5.5 0 0 0 16 6Z'
