import { useSyncExternalStore } from 'react'

let broken = false
let ahead_ms = 0
const listeners = new Set<() => void>()

/** Records whether the last request reached the server; drives the strip 网络异常，请检查网络. */
export function reportNetwork(works: boolean): void {
  if (broken !== works) return
  broken = !works
  for (const listener of listeners) listener()
}

/** True while the network is broken. */
export function useOffline(): boolean {
  return useSyncExternalStore(subscribe, () => broken)
}

/** Learns the server's clock from a `Date` header. */
export function reportServerDate(header: string | null): void {
  const server = header === null ? Number.NaN : Date.parse(header)
  if (!Number.isNaN(server)) ahead_ms = server - Date.now()
}

/** The server's time in ms; the browser's own until the first answer. */
export function serverNow(): number {
  return Date.now() + ahead_ms
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
