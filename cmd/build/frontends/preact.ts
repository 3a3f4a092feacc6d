import type { FrontendBuild } from '../frontend-build.ts'

export const frontendBuild: FrontendBuild = {
  plugin: () => ({
    name: 'preact',
    setup({ initialOptions: options }) {
      options.jsx = 'automatic'
      options.jsxImportSource = 'preact'
    },
  }),
  // Elements are made by `createElement`, which comes with what renders them: `preact/jsx-runtime` would bring another.
  // Not by `inject`, which would have the parts of the page client import it too, and every page load one file more.
  addedToPage(path) {
    if (path.endsWith('.tsx'))
      return `
      /** @jsxRuntime classic */ /** @jsx createElement */ /** @jsxFrag Fragment */
      import { createElement, Fragment } from 'preact'`
    // Each group of pages imports what draws it, so that esbuild puts all that both import into one file.
    return /[\\/]groups[\\/]/.test(path) ? "import '../app.tsx'" : ''
  },
  unloaded: ['Auth/Login'],
  heaviestLogin: 10_500,
}
