import { availableParallelism } from 'node:os'

// Imported before anything else, since libuv reads the number once, when it first has work. Each hash
// occupies a thread of libuv's pool, as does reading a file: with four processors, its default four threads
// could all be hashing.
process.env.UV_THREADPOOL_SIZE ||= String(availableParallelism() + 4)
