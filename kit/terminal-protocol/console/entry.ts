import { checkFirmwareName } from '@kit/contract/checks'
import type { FaultCode } from './fault.ts'

/** Longest password of a console: the input stops there (chapter 31 §7). */
export const most_password_digits = 8
const fewest_password_digits = 4
/** The first line of a package of ours says what it is and which version: `jbn 1.4.0`. */
const package_head = /^(jbn|jap) (\d{1,3}(?:\.\d{1,5}){1,3})(?:\r?\n|$)/u

/** Why a password cannot be the right one, before anybody is asked; undefined when it may be. */
export function loginFault(password: string): FaultCode | undefined {
  if (password === '') return 'password_empty'
  return password.length > most_password_digits ? 'password_long' : undefined
}

/** Why a password cannot be chosen: it is four to eight digits. */
export function newPasswordFault(password: string): FaultCode | undefined {
  const fault = loginFault(password)
  if (fault) return fault
  return new RegExp(`^\\d{${fewest_password_digits},${most_password_digits}}$`, 'u').test(password) ? undefined : 'password_digits'
}

/** Firmware has one of two formats, by its name (jbn is the system, jap the application). */
export function firmwareFault(name: string): FaultCode | undefined {
  return checkFirmwareName(name) === null ? undefined : 'firmware_name'
}

/** What a package says of itself in its first line; undefined when it is none of ours or not what its name says. */
export function readPackage(name: string, head: string): { kind: 'jbn' | 'jap'; version: string } | undefined {
  const [, kind, version] = package_head.exec(head) ?? []
  if ((kind !== 'jbn' && kind !== 'jap') || version === undefined) return undefined
  return name.toLowerCase().endsWith(`.${kind}`) ? { kind, version } : undefined
}
