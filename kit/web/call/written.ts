import type { Call } from '@kit/contract'

type Listener = (call: string) => void
const listeners = new Set<Listener>()

/** Hears of every write of this console that has succeeded, by the name of its call, so that what it changed can be read again. @returns stops it */
export function onWritten(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** A call has succeeded. */
export function announceWritten({ method, details, call }: Call): void {
  if (method === 'GET' || details.reads !== undefined) return
  for (const listener of listeners) listener(call)
}
