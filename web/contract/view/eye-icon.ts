/** An eye, of 20 units a side, drawn as lines; in its middle is a circle with the radius 2.5. */
export const eye = 'M2 10c2-3.5 4.7-5 8-5s6 1.5 8 5c-2 3.5-4.7 5-8 5s-6-1.5-8-5Z'
/** The stroke through the eye; the stylesheet shows it while the password is hidden. */
export const eyeStroke = 'm4 16.5 12-13'
