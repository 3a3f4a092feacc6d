import { resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

// What `npm start` runs: the development runner for the database of the project, with a server where it needs one.
process.chdir(resolve(import.meta.dirname, '../..'))
await import(`./start/${manifest.config.database}.ts`)
