import { isNearAddress, isOwnAddress, reader_port } from '@campus/devices/contract'
import { needs_own_reader, needs_reload, not_near } from './reader-words.ts'

/** Where a reader's service listens. */
export type ReaderAddress = { ip: string; port: number }

const cookie_name = 'campus_reader'
const year_s = 31_536_000
const usual: ReaderAddress = { ip: '127.0.0.1', port: reader_port }

/**
 * Why a page may not ask a reader at an address; null when it may. A page that came by https reaches readers of its own machine alone.
 * @param permitted the reader that the server lets this page reach beside the usual one (`ip:port`)
 */
export function whyNotAt(address: ReaderAddress, protocol: string, permitted: string | null): string | null {
  if (!isNearAddress(address.ip)) return not_near
  if (protocol === 'https:' && !isOwnAddress(address.ip)) return needs_own_reader
  const text = textOf(address)
  return text === textOf(usual) || text === permitted ? null : needs_reload
}

/** The reader that this page may reach, as it was when the page was fetched. */
const at_first = typeof document === 'undefined' ? null : cookieOf(document.cookie)

/** The reader that the server lets this page reach beside the usual one. */
export function permittedReader(): string | null {
  return at_first
}

/** Asks the server to let the next page reach a reader; the server takes near addresses alone. */
export function permitNext(address: ReaderAddress): void {
  document.cookie = `${cookie_name}=${textOf(address)}; path=/; max-age=${year_s}; samesite=strict`
}

export function cookieOf(cookies: string): string | null {
  return /(?:^|;\s*)campus_reader=([\d.:]+)/u.exec(cookies)?.[1] ?? null
}

function textOf({ ip, port }: ReaderAddress): string {
  return `${ip}:${port}`
}
