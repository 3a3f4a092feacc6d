import { resolve } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }

// The entry point of `npm start`: runs the development runner for the project's database, with a server if it needs
// one.
process.chdir(resolve(import.meta.dirname, '../..'))
await import(`./start/${manifest.config.database}.ts`)
