import { readUrl, wordOf, type ServerUrl } from '../../server/url.ts'

interface More {
  /** Whether read-only servers, such as standbys, are skipped. */
  readonly readWrite: boolean
  /** The schema of the tables; undefined for the one that the server has set for this user. */
  readonly schema: string | undefined
}

export type PostgresUrl = ServerUrl & More

export function readPostgresUrl(text: string): { url: PostgresUrl } | { faults: string[] } {
  return readUrl<More>(text, {
    schemes: ['postgres', 'postgresql'],
    port: 5432,
    socket: '/var/run/postgresql',
    mostHosts: Infinity,
    words: ['target_session_attrs', 'search_path'],
    read: (query, faults) => ({
      readWrite:
        wordOf(query, 'target_session_attrs', ['any', 'read-write'], faults) === 'read-write',
      schema: query.get('search_path'),
    }),
  })
}
