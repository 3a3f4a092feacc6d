/** The URL path of a stylesheet, inserted by the build (`sheetPlugin`). */
declare module '*/card.css' {
  const path: `/assets/card-${string}.css`
  // oxlint-disable-next-line import/no-default-export
  export default path
}

declare module '*/home.css' {
  const path: `/assets/home-${string}.css`
  // oxlint-disable-next-line import/no-default-export
  export default path
}

declare module '*/inside.css' {
  const path: `/assets/inside-${string}.css`
  // oxlint-disable-next-line import/no-default-export
  export default path
}

declare module '*.css' {
  const path: string
  // oxlint-disable-next-line import/no-default-export
  export default path
}
