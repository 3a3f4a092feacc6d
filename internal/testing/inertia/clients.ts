import { join } from 'node:path'
import { bundle, pagesBundle } from '../../../cmd/build/bundle/bundle.ts'
import { type FrontendBuild, frontendPlugin } from '../../../cmd/build/frontend-build.ts'
import { frontendBuild as svelte } from '../../../cmd/build/frontends/svelte.ts'
import { frontendBuild as vue } from '../../../cmd/build/frontends/vue.ts'
import { sheetPlugin } from '../../../cmd/build/plugins/plugins.ts'
import type { Frontend } from '../../../web/contract/frontend.ts'
import type { Assets } from '../../base/program/assets.ts'
import { openPages } from '../assets.ts'

interface Client {
  readonly build: FrontendBuild
  /** The policies of its progress bar and of its framework. */
  readonly trustedTypes: readonly string[]
}

const react: FrontendBuild = {
  plugin: () => ({
    name: 'react',
    setup: ({ initialOptions: options }) => void (options.jsx = 'automatic'),
  }),
  addedToPage: () => '',
  heaviestLogin: Infinity,
}

const clients = {
  react: { build: react, trustedTypes: ['default'] },
  vue3: { build: vue, trustedTypes: ['vue', 'default'] },
  svelte: { build: svelte, trustedTypes: ['svelte-trusted-html', 'default'] },
} satisfies Record<string, Client>

export type ClientName = keyof typeof clients

/** Returns a stock Inertia client's frontend, `@inertiajs/<name>`, as the app takes it, and its pages as served. */
export async function inertiaPages(
  name: ClientName,
): Promise<{ readonly frontend: Frontend; readonly assets: Assets }> {
  const { build, trustedTypes } = clients[name]
  const plugins = [frontendPlugin(build, 'browser'), sheetPlugin]
  const begun = { in: join(import.meta.dirname, name, 'browser.ts'), out: 'browser' }
  const options = pagesBundle({ frontend: name, database: '', plugins })
  const made = await bundle({ ...options, entryPoints: [begun] })
  // It renders only in the browser.
  const frontend = { render: async () => '', trustedTypes, makesStyles: true }
  return { frontend, assets: openPages(made) }
}
