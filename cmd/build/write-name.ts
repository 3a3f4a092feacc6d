import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeName } from './name-places.ts'

// `npm run fix` writes the name of package.json wherever it stands besides: rename the app there, and then run it.
process.chdir(resolve(import.meta.dirname, '../..'))
const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }
writeName(name)
