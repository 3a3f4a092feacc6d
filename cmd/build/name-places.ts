import { globSync, readFileSync, writeFileSync } from 'node:fs'

/** A file that contains the app's name and cannot take it from package.json. */
interface Place {
  readonly file: string
  /** Regular expressions, each of which must match. `<name>` stands for the app's name, `<command>` for any command. */
  readonly patterns: readonly string[]
}

// oxfmt-ignore
const places: readonly Place[] = [
  { file: 'package-lock.json', patterns: [
    '(?<![^])\\{\\n  "name": "<name>"', '^    "": \\{\\n      "name": "<name>"',
  ] },
  { file: 'Dockerfile', patterns: [
    '/dist/<name> ', "'<name>:x:10001", '/usr/local/bin/<name>"', '/data/<name>\\.db',
  ] },
  { file: 'cmd/app/app.service', patterns: [
    '(?<!cmd/app)/<name>\\.service', '/usr/local/bin/<name>', 'user `<name>`', '/etc/<name>(?!\\w|/\\w)', '/etc/<name>/\\.env',
    '/var/lib/<name>\\b', '/<name>\\.db', '-u <name> ', '-u \\w+ <name> ', '^Description=<name>,',
    '^(?:User|Group|StateDirectory)=<name>$',
  ] },
  { file: 'testdata/fail2ban/app.conf', patterns: ['log of <name> in', '_SYSTEMD_UNIT=<name>\\.service'] },
  { file: '.github/SECURITY.md', patterns: [
    '`<name> (?:version|users|licenses)', '`<name>_(?:session|browser|form)`', 'dist/<name>\\b', '/usr/share/doc/<name>/', '\\b<name>\\.cdx\\.json',
  ] },
  { file: 'README.md', patterns: [
    '(?<![^])# <name>\\n', '`<name> (?:<command>(?![\\w-])|--version|-V)',
    '`<name>`(?:, `\\w+ serve`| prints)', 'PORT=0 <name>`', 
    'dist/<name>\\b', '\\b<name>\\.cdx\\.json', '\\b<name>\\.db\\b', '/usr/share/doc/<name>/', '/backup/<name>\\.tar',
    'log of <name> in', '_SYSTEMD_UNIT=<name>\\.service', '\\.d/<name>\\.conf', '^\\[(?!Definition)<name>\\]$',
    '`<name>_(?:form)`', 'docker build -t <name> ', '-v <name>:/data', 'example\\.com <name>$', 'docker exec … <name> ',
    '/var/lib/<name>\\b', 'nologin <name>$', '/usr/local/bin/<name>(?:$| )', 'install -d /etc/<name>$', '-g <name> ', '/etc/<name>/\\.env',
    '/system/<name>\\.service', '--now <name>$', 'cd /etc/<name> ', '-u <name> ', '-u \\w+ <name> ',
  ] },
]

/** Returns a line for each place with a different name, and for each pattern without a match. */
export function nameFindings(appName: string): string[] {
  return places.flatMap(({ file, patterns }) => {
    const text = readFileSync(file, 'utf8')
    return patterns.flatMap((pattern) => {
      const names = [...text.matchAll(regExpOf(pattern))].map(({ groups }) => groups?.['name'])
      if (names.length === 0) return `${file} has nowhere: ${pattern}`
      return names
        .filter((name) => name !== appName)
        .map((name) => `${file} says ${name}: ${pattern}`)
    })
  })
}

/** Writes the name in all places. */
export function writeName(appName: string): void {
  for (const { file, patterns } of places) {
    const text = readFileSync(file, 'utf8')
    const newText = patterns.reduce(
      (before, pattern) => replaceName(before, pattern, appName),
      text,
    )
    if (newText !== text) writeFileSync(file, newText)
  }
}

function replaceName(text: string, pattern: string, appName: string): string {
  const nameSpans = [...text.matchAll(regExpOf(pattern))].map(
    ({ indices }) => indices?.groups?.['name'],
  )
  // From the last to the first, so that earlier positions stay valid.
  return nameSpans.reduceRight(
    (before, [start, end] = [0, 0]) => before.slice(0, start) + appName + before.slice(end),
    text,
  )
}

function regExpOf(pattern: string): RegExp {
  const namePattern = pattern.replace('<name>', '(?<name>[A-Za-z0-9]+)')
  return new RegExp(
    namePattern.replace('<command>', () => `(?:${commands().join('|')})`),
    'dgm',
  )
}

/** Returns the names of the app's commands, as found in their sources. */
function commands(): string[] {
  const sources = globSync('cmd/app/commands/**/*.ts', { exclude: ['**/*.test.ts'] })
  return sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bprogram\s*\.command\('([a-z][a-z-]*)/g)].map(
      ([, name = '']) => name,
    ),
  )
}
