import { fileURLToPath } from 'node:url'
import { hattipInTests } from '../../cmd/build/plugins/hattip-plugin.ts'
import { frontendsInTests } from '../../cmd/build/plugins/languages-plugin.ts'
import { configDefaults, defineConfig } from 'vitest/config'
import { otherDatabases, testedDatabase } from './tested-database.ts'
import { testedFrontend } from './tested-frontend.ts'

/** Tests that start what the build makes. */
const ofExecutable = [
  'cmd/app/{*,commands/*}.test.ts',
  'web/*.test.ts',
  'internal/db/*/{executable,faulty-file}.test.ts',
]
/**
 * What brings all frontends that it judges along, has none, or runs the project as it stands, with the database and the
 * frontend that are its own: whichever the tests are of changes nothing.
 */
const ofAny = [
  'cmd/app/{dev,renamed}.test.ts',
  'cmd/build/write-name.test.ts',
  'web/contract/frontends.test.ts',
  'internal/testing/inertia/**',
  'cmd/build/{executable/keep-code,licenses/packages}.test.ts',
  'cmd/build/frontends/**',
]
const isUsual = testedDatabase === 'sqlite' && testedFrontend === 'preact'
const never = [
  ...configDefaults.exclude,
  'dist/**',
  ...(isUsual ? [] : ofAny),
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
    // Else Vite has Node load it, unchanged.
    server: { deps: { inline: ['@hattip/adapter-node'] } },
    // Ends what hangs: a test makes its own app and waits for nothing but real work, which takes a busy machine long.
    testTimeout: 120_000,
    // So does what comes after it, such as a browser that is closed, and a database that is dropped.
    hookTimeout: 60_000,
    // Most of a test is waiting, for a disk, a browser, a process to end: more at once than the two processors.
    maxWorkers: 5,
    // No module keeps anything of a test, so files may share them: reading them anew takes a third of the time.
    isolate: false,
    // What is waited for comes at once, unless the machine is busy with something else.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['**/*.test.ts'],
          exclude: [...never, ...ofExecutable],
        },
      },
      {
        extends: true,
        test: {
          name: 'executable',
          include: ofExecutable,
          exclude: never,
          // Only runs of these tests build it.
          globalSetup: 'internal/testing/processes/build.ts',
          // Ends what hangs. Each step of a test has its own limit, and how many there are is the test's own.
          testTimeout: 180_000,
        },
      },
    ],
  },
})
