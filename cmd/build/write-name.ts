import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { writeName } from './name-places.ts'

// `npm run fix` writes the app's name from package.json to all other places: rename the app there, then run it.
process.chdir(resolve(import.meta.dirname, '../..'))
const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }
writeName(name)
