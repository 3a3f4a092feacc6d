import { twoFactor } from '../../../internal/db/two-factor.ts'
import { makeKeys } from '../../../internal/base/crypto/keys.ts'
import { adviceOnKeys, sealedAnew } from '../../../internal/domain/two-factor/sealed.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'
import { fail, ok, warn, type Finding } from '../../../internal/base/finding.ts'
import type { Config } from '../../../internal/base/settings/config.ts'
import type { Db } from '../../../internal/db/db.ts'
import type { SealedTwoFactor } from '../../../internal/db/two-factor.ts'

const check = 'key'

/** Checks whether the keys are random and open everything that is sealed. Without a database only the former. */
export async function keyFindings({ keys }: Config, db: Db | undefined): Promise<Finding[]> {
  if (keys.some((key) => !isRandom(key)))
    return [
      fail(
        check,
        'APP_KEY, or one of APP_PREVIOUS_KEYS, is not random: whoever guesses it logs in as anyone.',
        'Take a key of 32 random bytes, as `openssl rand -base64 32` makes them; where there are accounts, do as README.md says of a key that leaked.',
      ),
    ]
  return [
    db ? sealingFinding(await sealings(keys, db), keys.length) : ok(check, 'APP_KEY is a key.'),
  ]
}

/** 32 random bytes have about 30 distinct values; one key in ten billion has fewer than 20. */
function isRandom(key: Buffer): boolean {
  return new Set(key).size >= 20
}

interface Sealings {
  readonly total: number
  /** Values sealed with an older key. */
  readonly stale: number
  /** Values that no key opens. */
  readonly lost: number
}

function sealingFinding({ total, stale, lost }: Sealings, keys: number): Finding {
  if (total === 0)
    return ok(
      check,
      'APP_KEY is valid; nothing in the database shows yet whether it is the right one.',
    )
  if (lost > 0)
    return fail(
      check,
      `No key opens ${counted(lost, 'value')} of two-factor logins, of ${counted(total, 'value')}: ${lost === 1 ? 'its user' : 'their users'} cannot log in.`,
      adviceOnKeys,
    )
  if (stale > 0)
    return warn(
      check,
      `${counted(stale, 'value of two-factor logins is', 'values of two-factor logins are')} sealed with a key of APP_PREVIOUS_KEYS.`,
      `Keep that key, and start the server: it seals ${stale === 1 ? 'it' : 'them'} again.`,
    )
  const older =
    keys === 1 ? '' : ' Those of APP_PREVIOUS_KEYS are needed for logins and links only.'
  return ok(check, `APP_KEY opens all that is sealed, ${counted(total, 'value')}.${older}`)
}

async function sealings(keys: Config['keys'], db: Db): Promise<Sealings> {
  const sealer = { keys: makeKeys(keys) }
  const batchSize = 1000
  const states: ReturnType<typeof sealedAnew>[] = []
  let batch: SealedTwoFactor[] = []
  do {
    batch = await twoFactor.sealed(db, { after: batch.at(-1)?.id ?? 0, most: batchSize })
    for (const { id, secret, codes } of batch) {
      states.push(sealedAnew(sealer, 'totp', id, secret))
      states.push(sealedAnew(sealer, 'recovery', id, codes))
    }
  } while (batch.length === batchSize)
  return {
    total: states.length,
    stale: states.filter((state) => typeof state === 'object').length,
    lost: states.filter((state) => state === 'lost').length,
  }
}
