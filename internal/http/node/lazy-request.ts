/**
 * A Request that creates the platform's own only when more than its method and URL is read: that one costs
 * more than answering most requests, and the first 30 ms at start. The build gives it to HatTip's adapter.
 */
export class LazyRequest {
  readonly url: string
  readonly method: string
  readonly #init: RequestInit
  #request: Request | undefined

  constructor(url: string, init: RequestInit) {
    this.url = url
    this.method = init.method ?? 'GET'
    this.#init = init
  }

  static request(lazy: LazyRequest): Request {
    return (lazy.#request ??= new Request(lazy.url, lazy.#init))
  }
}

// oxfmt-ignore
const delegated = [
  'arrayBuffer', 'blob', 'body', 'bodyUsed', 'bytes', 'cache', 'clone', 'credentials', 'destination', 'duplex',
  'formData', 'headers', 'integrity', 'json', 'keepalive', 'mode', 'redirect', 'referrer', 'referrerPolicy',
  'signal', 'text',
]

for (const name of delegated) {
  Object.defineProperty(LazyRequest.prototype, name, {
    get(this: LazyRequest): unknown {
      const request = LazyRequest.request(this)
      const value: unknown = Reflect.get(request, name)
      return typeof value === 'function' ? value.bind(request) : value
    },
  })
}
