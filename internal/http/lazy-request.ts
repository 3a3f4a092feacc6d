type Init = RequestInit & { duplex?: string }

/**
 * Has HatTip's adapter make a Request that becomes undici's own only when something beyond its method and URL is
 * read: undici's costs more than answering most requests does. Everyone else gets undici's as ever.
 */
export function lazyRequests(): void {
  const Whole = globalThis.Request
  if (installed in Whole) return
  const Lazy = lazyOf(Whole)
  const Either = class extends Whole {
    static readonly [installed] = true

    constructor(input: RequestInfo | URL, init?: Init) {
      // Only the adapter hands in the headers as Node's plain object, and says `half` with no stream of the web's.
      if (
        typeof input === 'string' &&
        init?.duplex === 'half' &&
        init.headers?.constructor === Object
      ) {
        return new Lazy(input, init)
      }
      super(input, init)
    }
  }
  Object.defineProperty(globalThis, 'Request', {
    value: Either,
    configurable: true,
    writable: true,
  })
}

const installed = Symbol('lazy requests')

function lazyOf(Whole: typeof Request): new (url: string, init: Init) => Request {
  class Lazy {
    readonly url: string
    readonly method: string
    readonly #init: Init
    #whole: Request | undefined

    constructor(url: string, init: Init) {
      this.url = url
      this.method = init.method ?? 'GET'
      this.#init = init
    }

    static whole(lazy: Lazy): Request {
      return (lazy.#whole ??= new Whole(lazy.url, lazy.#init))
    }
  }
  for (const name of Object.getOwnPropertyNames(Whole.prototype)) {
    if (name === 'constructor' || name === 'url' || name === 'method') continue
    Object.defineProperty(Lazy.prototype, name, {
      get(this: Lazy) {
        const whole = Lazy.whole(this)
        const value: unknown = Reflect.get(whole, name)
        return typeof value === 'function' ? value.bind(whole) : value
      },
    })
  }
  // So that `instanceof Request` holds.
  Object.setPrototypeOf(Lazy.prototype, Whole.prototype)
  return Lazy as unknown as new (url: string, init: Init) => Request
}
