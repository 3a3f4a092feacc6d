/** Returns a host with its port as addresses are written: `127.0.0.1:3000`, and IPv6 as `[::1]:3000`. */
export function hostPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
