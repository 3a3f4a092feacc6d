/** The settings of an argon2id hash, as its PHC string states them. */
export interface Argon2id {
  /** KiB. */
  readonly memory: number
  readonly passes: number
  readonly lanes: number
  readonly saltBytes: number
  readonly hashBytes: number
}

/**
 * Reads a PHC string and judges whether it may be verified, since the package would also accept argon2i,
 * argon2d and any cost (security rule 12). `fault` says why a hash must match no password, without quoting
 * it.
 */
export function readPhc(phc: string): { settings: Argon2id } | { fault: string } {
  if (!phc.startsWith('$argon2id$')) return { fault: 'it is not argon2id' }
  const match = form.exec(phc)
  if (!match) return { fault: 'it is not a whole argon2id string' }
  const [, version, memory, passes, lanes, salt, hash] = match
  const settings = {
    memory: Number(memory),
    passes: Number(passes),
    lanes: Number(lanes),
    saltBytes: byteLength(salt ?? ''),
    hashBytes: byteLength(hash ?? ''),
  }
  // Version 16 was superseded before argon2id was released: no such hash is to be expected.
  if (version !== '19') return { fault: 'it is not of version 19' }
  const fault = judge(settings)
  return fault ? { fault } : { settings }
}

// Numbers without leading zeros, parameters in the order of the reference implementation, nothing else.
const form =
  /^\$argon2id\$v=(\d{1,3})\$m=([1-9]\d{0,9}),t=([1-9]\d{0,9}),p=([1-9]\d{0,9})\$([A-Za-z0-9+/]{1,128})\$([A-Za-z0-9+/]{1,128})$/

const kibInFourGib = 4 * 1024 * 1024

function judge({ memory, passes, lanes, saltBytes, hashBytes }: Argon2id): string | undefined {
  if (memory > kibInFourGib) return 'it asks for over 4 GiB of memory'
  if (passes > 64) return 'it asks for over 64 passes'
  if (lanes > 16) return 'it asks for over 16 lanes'
  if (memory < 8 * lanes) return 'it asks for too little memory'
  if (saltBytes < 8 || saltBytes > 64) return 'its salt is not 8 to 64 bytes'
  if (hashBytes < 16 || hashBytes > 64) return 'it is not 16 to 64 bytes long'
  return undefined
}

/** Returns how many bytes a text in base64 without padding holds, or 0 if it is not canonical. */
function byteLength(base64: string): number {
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64').replace(/=+$/, '') === base64 ? bytes.length : 0
}
