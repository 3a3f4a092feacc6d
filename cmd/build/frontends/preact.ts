import type { FrontendBuild } from '../frontend-build.ts'

export const frontendBuild: FrontendBuild = {
  plugin: () => ({
    name: 'preact',
    setup({ initialOptions: options }) {
      options.jsx = 'automatic'
      options.jsxImportSource = 'preact'
    },
  }),
  // Elements are created by `createElement`, which comes with the renderer: `preact/jsx-runtime` would add another
  // one. Not by `inject`, which would make parts of the page client import it too, and every page load one file more.
  addedToPage(path) {
    if (path.endsWith('.tsx'))
      return `
      /** @jsxRuntime classic */ /** @jsx createElement */ /** @jsxFrag Fragment */
      import { createElement, Fragment } from 'preact'`
    // Each group of pages imports the renderer, so that esbuild puts everything that both import into one file.
    return /[\\/]groups[\\/]/.test(path) ? "import '../app.tsx'" : ''
  },
  unloaded: ['Auth/Login'],
  heaviestLogin: 10_500,
}
