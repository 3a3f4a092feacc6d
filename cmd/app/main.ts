import { main } from './program.ts'

// Where the program begins from its sources. The executable begins in `executable.ts`.
await main()
