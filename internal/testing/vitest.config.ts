import { fileURLToPath } from 'node:url'
import { hattipInTests } from '../../cmd/build/hattip-plugin.ts'
import manifest from '../../package.json' with { type: 'json' }
import { frontendsInTests } from '../../cmd/build/languages-plugin.ts'
import { configDefaults, defineConfig } from 'vitest/config'

/** Tests that start what the build makes. */
const ofExecutable = [
  'cmd/app/{*,commands/*}.test.ts',
  'web/*.test.ts',
  'internal/db/*/executable.test.ts',
]
const never = [...configDefaults.exclude, 'dist/**']

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [hattipInTests, frontendsInTests(manifest.config.frontend)],
  test: {
    // Else Vite has Node load it, unchanged.
    server: { deps: { inline: ['@hattip/adapter-node'] } },
    // A test makes its own app and waits for nothing but real work; hashing on two cores is the slowest.
    testTimeout: 20_000,
    // Most of a test is waiting, for a disk, a browser, a process to end: more at once than the two processors.
    maxWorkers: 5,
    // No module keeps anything of a test, so files may share them: reading them anew takes a third of the time.
    isolate: false,
    // What is waited for comes at once, unless the machine is busy with something else.
    expect: { poll: { timeout: 15_000 } },
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
          globalSetup: 'internal/testing/build.ts',
          testTimeout: 40_000,
        },
      },
    ],
  },
})
