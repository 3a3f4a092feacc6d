// No preparation needed: the app creates the database file as it starts.
await import('../dev.ts')
