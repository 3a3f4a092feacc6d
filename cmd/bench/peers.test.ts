import { expect, test } from 'vitest'
import project from '../../package.json' with { type: 'json' }
import peers from './peers/package.json' with { type: 'json' }

test('the peers of the benchmark have the same SQLite version as the service', () => {
  const [ours, theirs] = [project.dependencies, peers.dependencies]
  expect(theirs['better-sqlite3']).toBe(ours['better-sqlite3'])
})
