// Reads what each suite wrote (vitest's JSON, a file a suite), names the tests that failed with what they said, and
// ends with the line `N passed, N failed`. What failed stands last, since the end of a long log is what is kept of it.
import { existsSync, readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'

/** Lines told of one failure: enough for a message and the place in the test. */
const linesOfFailure = 12

let passed = 0
let failed = 0
for (const file of process.argv.slice(2)) {
  const suite = basename(file, '.json')
  if (!existsSync(file)) {
    console.log(`\n${suite}: ended without results; what it printed above says why`)
    failed++
    continue
  }
  const results = JSON.parse(readFileSync(file, 'utf8'))
  passed += results.numPassedTests
  failed += results.numFailedTests
  if (!results.success && results.numFailedTests === 0)
    console.log(`\n${suite}: an error outside of every test, which stands after that suite above`)
  for (const { name, message, assertionResults } of results.testResults) {
    // A file that did not load has no test that says so.
    if (message) console.log(`\n${suite}: ${relative('.', name)}\n${shorten(message)}`)
    for (const { status, fullName, failureMessages, duration } of assertionResults) {
      if (status !== 'failed') continue
      console.log(
        `\n${suite}: ${relative('.', name)}: ${fullName} (${Math.round(duration ?? 0)} ms)`,
      )
      console.log(shorten(failureMessages.join('\n')))
    }
  }
}
console.log(`${passed} passed, ${failed} failed`)

function shorten(text) {
  return text.split('\n').slice(0, linesOfFailure).join('\n')
}
