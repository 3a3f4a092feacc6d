/** The URL path of a stylesheet, inserted by the build (`sheetPlugin`). */
declare module '*.css' {
  const path: string
  // oxlint-disable-next-line import/no-default-export
  export default path
}
