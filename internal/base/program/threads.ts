import { availableParallelism } from 'node:os'

// Imported before anything else. Hashes take a thread each of libuv's pool, as reading a file does, and its four
// threads would all be hashing on a machine with four processors. libuv reads the number once, when it first has
// work, so a later place would be too late.
process.env.UV_THREADPOOL_SIZE ||= String(availableParallelism() + 4)
