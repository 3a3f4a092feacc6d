import type { Choices } from './choices.ts'
import { notChosen } from './left-out.ts'
import { readmeChanges } from './readme-changes.ts'
import { sourceChanges } from './source-changes.ts'

/** Returns a file's text for an app with these choices. Throws if the text of a change is not found. */
export function applyChanges(file: string, text: string, choices: Choices): string {
  const changesOfFile = [...sourceChanges, ...readmeChanges].filter(
    (change) => change.file === file && (change.when?.(choices) ?? true),
  )
  return changesOfFile.reduce(
    (before, { from, to }) => {
      const after = before.replaceAll(from, typeof to === 'string' ? to : to(choices))
      if (after !== before) return after
      throw new Error(`${file} has nowhere: ${String(from)}`)
    },
    removeRows(file, text, choices),
  )
}

/** Files with one row per database, frontend or program. */
const filesWithRows = new Set([
  '.dockerignore',
  'README.md',
  'internal/db/server/connections.test.ts',
  'internal/testing/network/counting-proxy.ts',
  'internal/http/headers.test.ts',
  'internal/layers.test.ts',
  'internal/testing/tested-database.ts',
  'internal/testing/tested-frontend.ts',
])

/** Removes the rows of databases, frontends and programs that are not part of the app. */
function removeRows(file: string, text: string, choices: Choices): string {
  if (!filesWithRows.has(file)) return text
  const { databases, frontends } = notChosen(choices)
  const names = [...databases, ...frontends].join('|')
  const programs = 'cmd/(?:bench|check|create|faults)\\b'
  const rows = [
    ` *(?:${names}): `,
    ` *\\['(?:(?:internal/db|web)/(?:${names})/|${programs})`,
    ` *\\{ subject: '(?:${names})'`,
    programs,
    `\\| \`${programs}`,
    '\\| `npm run (?:bench|create|faults|check:|test:)',
    '\\| (?:a frontend|a fault that is tried) \\|',
  ]
  return text.replace(new RegExp(`^(?:${rows.join('|')}).*\\n`, 'gim'), '')
}
