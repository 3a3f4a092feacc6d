import { fileURLToPath } from 'node:url'
import { hattipInTests } from '../../cmd/build/plugins/hattip-plugin.ts'
import { frontendsInTests } from '../../cmd/build/plugins/languages-plugin.ts'
import { configDefaults, defineConfig } from 'vitest/config'
import { otherDatabases, testedDatabase } from './tested-database.ts'
import { testedFrontend } from './tested-frontend.ts'

/** Tests that start what the build makes. */
const executableTests = [
  'cmd/app/*.test.ts',
  'cmd/app/{commands,serve,settings,stop}/**/*.test.ts',
  'web/browser-tests/**/*.test.ts',
  'internal/db/*/{executable,faulty-file,lost-log,moved-file,pooler}.test.ts',
]
/**
 * Tests that bring all the frontends they need, use none, or run the project with its own database and frontend: they
 * do not depend on the tested database and frontend.
 */
const independentTests = [
  'cmd/app/{dev,renamed}.test.ts',
  'cmd/build/write-name.test.ts',
  'web/contract/frontends.test.ts',
  'internal/testing/inertia/**',
  'cmd/build/{executable/keep-code,licenses/packages}.test.ts',
  'cmd/build/frontends/**',
]
const isUsual = testedDatabase === 'sqlite' && testedFrontend === 'preact'
const excluded = [
  ...configDefaults.exclude,
  'dist/**',
  ...(isUsual ? [] : independentTests),
  // What a build for another database does in its own way.
  ...otherDatabases.map((name) => `internal/db/${name}/**`),
]

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  ssr: {
    resolve: {
      conditions: [testedDatabase, testedFrontend, 'module', 'node', 'development|production'],
    },
  },
  plugins: [hattipInTests, frontendsInTests(testedFrontend)],
  test: {
    // Otherwise Vite lets Node load it unchanged.
    server: { deps: { inline: ['@hattip/adapter-node'] } },
    // Ends a test that hangs: tests wait for nothing but real work, which takes long on a busy machine.
    testTimeout: 120_000,
    // The same for cleaning up, such as closing a browser or dropping a database.
    hookTimeout: 60_000,
    // Most of a test is waiting for a disk, a browser, or the end of a process: so more at once than the two
    // processors.
    maxWorkers: 5,
    // No module keeps a test's state, so files can share modules: loading them again takes a third of the time.
    isolate: false,
    // Expected things come at once, unless the machine is busy.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['**/*.test.ts'],
          exclude: [...excluded, ...executableTests],
        },
      },
      {
        extends: true,
        test: {
          name: 'executable',
          include: executableTests,
          exclude: excluded,
          // Only runs of these tests build the executable.
          globalSetup: 'internal/testing/processes/build.ts',
          // Ends a test that hangs. Each step of a test has its own limit, and the number of steps varies.
          testTimeout: 180_000,
        },
      },
    ],
  },
})
