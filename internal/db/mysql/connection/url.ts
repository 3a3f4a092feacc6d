import { readUrl, type ServerUrl } from '../../server/url.ts'

export function readMysqlUrl(text: string): { url: ServerUrl } | { faults: string[] } {
  return readUrl(text, {
    schemes: ['mysql'],
    port: 3306,
    socket: '/run/mysqld/mysqld.sock',
    mostHosts: 1,
    words: [],
    read: () => ({}),
  })
}
