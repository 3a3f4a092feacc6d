/** A keyhole that is also a person, in a square of 32 units. `web/icon.svg` is the same drawing for the browser's tab. */
export const mark =
  'M16 6a5.5 5.5 0 0 0-3 10.1L10.6 25a1 1 0 0 0 1 1.3h8.8a1 1 0 0 0 1-1.3L19 16.1A5.5 5.5 0 0 0 16 6Z'
