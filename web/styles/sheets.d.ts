/** The path that a stylesheet is served at; the build writes it in (`sheetPlugin`). */
declare module '*.css' {
  const path: string
  // oxlint-disable-next-line import/no-default-export
  export default path
}
