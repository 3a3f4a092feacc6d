import { openDatabase } from '#db/driver'
import { migrate } from '#db/migrations'
import { cache } from '#db/cache'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Migration } from '../../db/migrate.ts'

const [address = '', migrations = ''] = process.argv.slice(2)
const database = JSON.parse(address) as DatabaseAddress

const now = new Date()
const ran = await migrate(database, JSON.parse(migrations) as Migration[], now)
const db = await openDatabase(database)
await cache.put(db, { key: String(process.pid), value: 'serves', endsAt: now })
await db.close()
console.log(JSON.stringify(ran))
