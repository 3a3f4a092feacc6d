import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { presences } from '#db/presence'
import { cutting } from '../../testing/cutting-proxy.ts'
import { temporaryDatabase } from '../../testing/database.ts'
import { patience } from './keep-talking.ts'

const isServer = addresses.setting === 'DB_URL'

test.runIf(isServer)(
  'whether a process is gone is waited for no longer than a server may take, so that jobs go on',
  async () => {
    const way = await cutting((await temporaryDatabase()).address)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    way.cutAt(/pg_try_advisory|IS_FREE_LOCK/, 'never told')
    const asked = presences.isGone(way.address, 'of nobody').catch(({ name }: Error) => name)
    await expect.poll(() => way.isCut).toBe(true)
    vi.advanceTimersByTime(patience)
    expect(await asked).toBe('DatabaseBusy')
  },
)
