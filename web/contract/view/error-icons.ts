const hourglass =
  'M5.5 2.5h9M5.5 17.5h9M6.5 2.5v3C6.5 7.5 10 8.7 10 10s-3.5 2.5-3.5 4.5v3M13.5 2.5v3C13.5 7.5 10 8.7 10 10s3.5 2.5 3.5 4.5v3'

/** Icons of errors, by status: paths of an SVG of 20 units a side, drawn as lines. */
const icons: Readonly<Record<number, string>> = {
  // A crossed-out cloud: there was no answer
  0: 'M6 15.5a3.5 3.5 0 0 1-.4-7 4.5 4.5 0 0 1 8.7-.6 3.8 3.8 0 0 1-.3 7.6H6ZM3.5 2.5l13 15',
  // A lock
  403: 'M5 9h10a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1ZM6.5 9V6.5a3.5 3.5 0 0 1 7 0V9',
  // A compass
  404: 'M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM13 7l-1.7 4.3L7 13l1.7-4.3L13 7Z',
  // A sheet of paper
  413: 'M6 2.5h5.5L15 6v10.5a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM11.5 2.5V6H15',
  408: hourglass,
  503: hourglass,
}

const warningSign = 'M10 3.5 17.5 16.5h-15L10 3.5ZM10 8.5V12M10 14.3v.1'

export function errorIcon(status: number): string {
  return icons[status] ?? warningSign
}
