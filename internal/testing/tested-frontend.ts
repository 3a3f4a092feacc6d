import { frontendNames } from '../../cmd/build/frontend-build.ts'
import manifest from '../../package.json' with { type: 'json' }
import { nodeCondition } from './node-condition.ts'

/** The frontend under test: by the condition with which Node was started, else the project's own. */
export const testedFrontend = nodeCondition(frontendNames) ?? manifest.config.frontend

const rendererOf: Readonly<Record<string, string>> = {
  preact: 'preact',
  vue: '%40vue/runtime-core',
  svelte: 'svelte',
}

/** The package that only a build with the tested frontend contains, and those of the other frontends. */
export const testedRenderer = rendererOf[testedFrontend] ?? ''
export const otherRenderers = Object.values(rendererOf).filter((name) => name !== testedRenderer)

const packagesOf: Readonly<Record<string, readonly string[]>> = {
  preact: ['preact', 'preact-render-to-string'],
  vue: ['vue'],
  svelte: ['svelte'],
}

/** The packages that other frontends are written with. */
export const otherFrontends = Object.keys(packagesOf)
  .filter((name) => name !== testedFrontend)
  .flatMap((name) => packagesOf[name] ?? [])
