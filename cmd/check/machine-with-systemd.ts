import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { environment } from '../../internal/base/settings/config.ts'
import { appName } from '../../web/contract/name.ts'
import { hasExited } from '../faults/tools/end-process.ts'
import { output } from './machine.ts'

/** A container booted from a folder, with systemd as its first process. */
export class Machine {
  readonly #container: ChildProcess
  readonly #nsenterOptions: readonly string[]

  private constructor(container: ChildProcess, init: number) {
    const namespaces = ['mount', 'uts', 'ipc', 'net', 'pid', 'cgroup'].map(
      (namespace) => `--${namespace}`,
    )
    this.#container = container
    this.#nsenterOptions = [
      '--target',
      `${init}`,
      ...namespaces,
      '--root',
      `--wdns=/etc/${appName}`,
    ]
  }

  /** Boots the system in the folder; resolves once systemd answers. */
  static async boot(root: string): Promise<Machine> {
    const isolation = ['--register=no', '--keep-unit', '--private-network', '--kill-signal=SIGKILL']
    const container = spawn(
      'systemd-nspawn',
      ['--quiet', ...isolation, '--directory', root, '--boot'],
      {
        stdio: 'ignore',
        // The newest systemd requires unified control groups, even if this machine still has the older kind.
        env: { PATH: environment().PATH, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
      },
    )
    try {
      return await Machine.#answering(container)
    } catch (error) {
      container.kill('SIGKILL')
      throw error
    }
  }

  static async #answering(container: ChildProcess): Promise<Machine> {
    const { pid } = container
    const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    await until('the machine starts', () => children() !== '')
    const machine = new Machine(container, Number(children().split(' ')[0]))
    await until(
      'systemd answers',
      () => machine.outputOf('systemctl', 'show', '-p', 'Version') !== '',
    )
    return machine
  }

  /** Returns the output of a program run in the container; empty if it fails. */
  outputOf(...args: readonly string[]): string {
    try {
      return output('nsenter', [...this.#nsenterOptions, ...args])
    } catch {
      return ''
    }
  }

  /** Returns a property of the service according to systemd. */
  state(property: string): string {
    return this.outputOf('systemctl', 'show', appName, '--value', '--property', property)
  }

  async end(): Promise<void> {
    if (hasExited(this.#container)) return
    const ended = once(this.#container, 'exit')
    this.outputOf('systemctl', 'poweroff', '--force', '--force')
    await ended
  }
}

/** Waits until a condition holds. Throws if it does not within a minute. */
export async function until(event: string, condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (condition()) return
    await pause(100)
  }
  throw new Error(`This did not come within a minute: ${event}`)
}
