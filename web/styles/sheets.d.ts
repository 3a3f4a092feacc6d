/* oxlint-disable import/no-default-export -- What the build makes of a stylesheet (`sheetPlugin`): its URL path. */
declare module '*/card.css' {
  const path: `/assets/card-${string}.css`
  export default path
}

declare module '*/home.css' {
  const path: `/assets/home-${string}.css`
  export default path
}

declare module '*/inside.css' {
  const path: `/assets/inside-${string}.css`
  export default path
}

declare module '*.css' {
  const path: string
  export default path
}
