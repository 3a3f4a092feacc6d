import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'

/** Returns what a program that imports threads.ts first prints, started with this UV_THREADPOOL_SIZE. */
function run(size: string, program: string): string {
  const threads = JSON.stringify(new URL('threads.ts', import.meta.url))
  const source = `await import(${threads}); ${program}`
  const env = { ...process.env, UV_THREADPOOL_SIZE: size }
  return execFileSync(process.execPath, ['--input-type=module', '-e', source], {
    env,
    encoding: 'utf8',
  })
}

const script = 'process.stdout.write(process.env.UV_THREADPOOL_SIZE)'

test('UV_THREADPOOL_SIZE is the number of CPUs plus four threads for files', () => {
  expect(run('', script)).toBe(String(availableParallelism() + 4))
})

test('a UV_THREADPOOL_SIZE set from outside is preserved', () => {
  expect(run('3', script)).toBe('3')
})

// Only Linux lists the threads of a process with their names.
test.runIf(process.platform === 'linux')('libuv starts a thread for each CPU and four more', () => {
  const counted = run(
    '',
    `const { pbkdf2 } = await import('node:crypto')
     const { readdirSync, readFileSync } = await import('node:fs')
     await new Promise((done) => pbkdf2('a', 'b', 1, 32, 'sha256', done))
     const names = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8'))
     process.stdout.write(String(names.filter((name) => name.startsWith('libuv-worker')).length))`,
  )
  expect(counted).toBe(String(availableParallelism() + 4))
})
