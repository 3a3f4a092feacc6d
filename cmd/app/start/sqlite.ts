// Nothing to start first: the app makes the file of the database as it starts.
await import('../dev.ts')
