import { isIP } from 'node:net'
import { fail, ok, warn, type Finding } from '../../../internal/base/finding.ts'
import type { ConfigError } from '../../../internal/base/settings/config-error.ts'
import type { ConfigWarning } from '../../../internal/base/settings/config-warning.ts'
import type { Config } from '../../../internal/base/settings/config.ts'
import type { exposedSecrets } from '../../../internal/base/settings/exposed-secrets.ts'

const check = 'settings'

/** Returns one finding per fault of the settings, after a warning if the folder may be the wrong one. */
export function faultFindings({ faults, folderWithout }: ConfigError): Finding[] {
  const findings = faults.map(({ message, line }) =>
    fail(check, message, `A line that will do: ${line}`),
  )
  if (folderWithout === undefined) return findings
  const finding = `There is no .env in ${folderWithout}, where this was started.`
  const advice =
    'Start it in the folder that has one, unless the variables are set in the environment.'
  return [warn(check, finding, advice), ...findings]
}

/**
 * Reports secrets that other users may read. Files are only a warning: container engines mount secrets readable for
 * everyone, which is harmless in a container without other users.
 */
export function exposureFindings({ dotEnv, files }: ReturnType<typeof exposedSecrets>): Finding[] {
  const inFiles = files.map(({ message, advice }) =>
    warn(check, message, `Unless this is a container that nobody else is in: ${advice}`),
  )
  return dotEnv ? [fail(check, dotEnv.message, dotEnv.advice), ...inFiles] : inFiles
}

/** Reports settings that are valid, but may not be what was meant. */
export function doubtFindings(config: Config, warnings: readonly ConfigWarning[]): Finding[] {
  const doubts = [
    ...warnings.map(({ message, advice }) => warn(check, message, advice)),
    ...addressDoubts(config),
    ...operationDoubts(config),
  ]
  return doubts.length > 0 ? doubts : [ok(check, 'Every one can be used.')]
}

function addressDoubts({ origin, https, trustedProxies }: Config): Finding[] {
  const { hostname } = new URL(origin)
  if (!https)
    return isLocal(hostname)
      ? []
      : [
          warn(
            check,
            `APP_URL is ${origin}, so that passwords are sent in the clear and browsers allow no passkeys.`,
            'Put a proxy with a certificate before the server, and set APP_URL to its https:// address.',
          ),
        ]
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) > 0
  return [
    ...(isAddress
      ? [
          warn(
            check,
            `APP_URL is ${origin}, an address, for which browsers make no passkeys.`,
            'Set APP_URL to a name.',
          ),
        ]
      : []),
    ...(trustedProxies.length === 0
      ? [
          warn(
            check,
            'APP_URL is https://, so there must be a proxy, but TRUSTED_PROXIES is not set: all visitors share the address of the proxy, and lock each other out.',
            'Set TRUSTED_PROXIES to the address of the proxy, or to loopback when it runs on this machine.',
          ),
        ]
      : []),
  ]
}

function operationDoubts({ debug, mail, log }: Config): Finding[] {
  const findings: Finding[] = []
  if (debug)
    findings.push(
      warn(
        check,
        'APP_DEBUG is on: error pages show what failed and where.',
        'Remove APP_DEBUG, unless this is a machine of a developer.',
      ),
    )
  if (!mail)
    findings.push(
      warn(
        check,
        'MAIL_HOST is not set, so no mail is sent: emails can be verified and passwords reset only with the links in the log.',
        'Set MAIL_HOST and MAIL_FROM_ADDRESS.',
      ),
    )
  if (log.level === 'error')
    findings.push(
      warn(
        check,
        'LOG_LEVEL is error: neither requests nor failed logins are logged.',
        'Set LOG_LEVEL to info, or remove it.',
      ),
    )
  return findings
}

function isLocal(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
