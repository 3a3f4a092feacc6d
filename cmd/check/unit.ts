import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { appName } from '../../web/contract/name.ts'
import { check, debian, must, need, output } from './machine.ts'
import { Machine, until } from './machine-with-systemd.ts'

const project = resolve(import.meta.dirname, '../..')
const executable = join(project, 'dist', appName)
const unit = join(project, 'cmd/app/app.service')

const programs = {
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  debootstrap: 'debootstrap',
  nsenter: 'util-linux',
}

const settings = [
  'APP_URL=http://localhost:3000',
  `APP_KEY=base64:${randomBytes(32).toString('base64')}`,
  `DB_PATH=/var/lib/${appName}/${appName}.db`,
  `FILES_PATH=/var/lib/${appName}/files`,
  '',
].join('\n')

/** `npm run check:unit`: makes systemd verify the unit, then run it. Leaves nothing behind. */
await check('The unit', async (folder) => {
  need(programs)
  if (!existsSync(executable)) throw new Error('There is no executable: run `npm run build` first.')
  verifyUnit(folder)
  const root = join(folder, 'root')
  debian(root, ['systemd', 'systemd-sysv', 'libatomic1'])
  install(root)
  const machine = await Machine.boot(root)
  try {
    await runService(machine, root)
  } finally {
    await machine.end()
  }
})

function verifyUnit(folder: string): void {
  // A copy with the built program's path: systemd-analyze would complain about a missing one in /usr/local/bin.
  const copy = join(folder, `${appName}.service`)
  writeFileSync(
    copy,
    readFileSync(unit, 'utf8').replace(`=/usr/local/bin/${appName}`, `=${executable}`),
  )
  const args = ['verify', '--man=no', copy]
  const { status, output: streams } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  const complaints = streams.join('')
  must(`systemd-analyze verify says nothing${complaints}`, status === 0 && complaints === '')
  const rating = output('systemd-analyze', ['security', '--offline=true', '--no-pager', copy])
  console.log(rating.split('\n').at(-1))
}

/** Installs the app as README.md tells operators, but with shorter times. */
function install(root: string): void {
  const units = join(root, 'etc/systemd/system')
  cpSync(executable, join(root, 'usr/local/bin', appName))
  cpSync(unit, join(units, `${appName}.service`))
  mkdirSync(join(units, `${appName}.service.d`))
  writeFileSync(
    join(units, `${appName}.service.d/sooner.conf`),
    '[Service]\nWatchdogSec=4\nRestartSec=100ms\n',
  )
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true })
  symlinkSync(`../${appName}.service`, join(units, `multi-user.target.wants/${appName}.service`))
  const user = ['--system', '--home-dir', `/var/lib/${appName}`, '--shell', '/usr/sbin/nologin']
  output('chroot', [root, 'useradd', ...user, appName])
  mkdirSync(join(root, 'etc', appName))
  writeFileSync(join(root, 'etc', appName, '.env'), settings, { mode: 0o640 })
  output('chroot', [root, 'chgrp', appName, `/etc/${appName}/.env`])
}

async function runService(machine: Machine, root: string): Promise<void> {
  const isActive = () => machine.state('ActiveState') === 'active'
  const health = () => machine.outputOf('runuser', '-u', appName, '--', appName, 'health')
  const watchdogTime = () => machine.state('WatchdogTimestamp')
  console.log(machine.outputOf('systemctl', '--version').split('\n')[0])
  await until('the service tells that it is ready', isActive)
  must('it serves, and a command finds its settings', health() === 'up')
  const before = watchdogTime()
  await until('it feeds the watchdog', () => watchdogTime() !== before)
  must('it was started once', machine.state('NRestarts') === '0')
  machine.outputOf('systemctl', 'kill', '--kill-whom=main', '--signal=STOP', appName)
  await until('one that hangs is started anew', () => machine.state('NRestarts') === '1')
  await until('it is ready again', isActive)
  must('it hung, was ended by the watchdog, and serves again', health() === 'up')
  machine.outputOf('systemctl', 'stop', appName)
  const stopState = ['Result', 'ExecMainStatus']
    .map((property) => machine.state(property))
    .join(' ')
  must('told to stop it ends with exit code 0', stopState === 'success 0')
  await startWithoutDatabase(machine, root)
  writeFileSync(join(root, 'etc', appName, '.env'), '')
  machine.outputOf('systemctl', 'start', appName)
  const failedState = ['ExecMainStatus', 'NRestarts', 'ActiveState'].map((property) =>
    machine.state(property),
  )
  must('settings that cannot be used start it once', failedState.join(' ') === '3 0 failed')
}

/** Keeps the database's folder away for many starts, then puts it back. Leaves the service stopped. */
async function startWithoutDatabase(machine: Machine, root: string): Promise<void> {
  const folder = `/var/lib/${appName}/later`
  const file = join(root, 'etc', appName, '.env')
  writeFileSync(file, `${settings}DB_PATH=${folder}/${appName}.db\n`)
  machine.outputOf('systemctl', 'start', '--no-block', appName)
  await until(
    'it is started again and again while its database is away',
    () => Number(machine.state('NRestarts')) > 5,
  )
  machine.outputOf('runuser', '-u', appName, '--', 'mkdir', folder)
  await until(
    'it serves once its database is there',
    () => machine.state('ActiveState') === 'active',
  )
  must('it outlasted a database that was away for many starts', true)
  machine.outputOf('systemctl', 'stop', appName)
}
