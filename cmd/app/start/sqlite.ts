// Its file is made as the server starts.
await import('../dev.ts')
