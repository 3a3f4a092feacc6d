import { main } from './program.ts'

// The entry point when run from sources. The executable's is `executable.ts`.
await main()
