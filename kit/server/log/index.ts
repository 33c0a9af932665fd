import type { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Logger } from 'pino'

export type { Logger } from 'pino'

/** Keys whose values never reach a log line, at any of the first four levels. */
export const redacted_keys = [
  'password', 'pwd', 'old_pass', 'new_pass', 'username', 'token', 'cap_value', 'recheck_token', 'remember_token', 'recheck', 'authorization',
  'cookie', 'set-cookie', 'code', 'wxcode', 'state', 'ticket', 'refresh', 'secret', 'id_no', 'mobile', 'tel', 'phone', 'email', 'address',
  'home_address', 'mail_address', 'p1_mobile', 'p2_mobile', 'p1_id_no', 'school_roll_no', 'photo', 'private_key',
] as const

const paths = redacted_keys.flatMap(key => {
  const name = `["${key}"]`
  return [name, `*${name}`, `*.*${name}`, `*.*.*${name}`]
})

/** The server's logger: JSON lines, redacted; `to` is for tests. */
export function createLog(level: string, to?: Writable): Logger {
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths, censor: '●' } }
  return to ? pino(options, to) : pino(options)
}
