import { availableParallelism } from 'node:os'

// Imported before anything else, since libuv reads the number once, when it first has work. Each hash takes a thread of
// libuv's pool, as reading a file does: on a machine with four processors, its four threads could all be hashing.
process.env.UV_THREADPOOL_SIZE ||= String(availableParallelism() + 4)
