import type { Frame } from './frame.ts'

/** Not connected yet or any more, told as it happens, or asked every few seconds. */
export type RealtimeState = 'off' | 'live' | 'polling'
/** `gap`: something was missed, everything is to be asked for again. */
export type Listener = { rows(rows: readonly unknown[]): void; gap(): void }

/** What a connection tells the tab that holds it. */
export type LinkHooks = { frame(frame: Frame): void; state(state: RealtimeState): void; gap(): void }

const listeners = new Map<string, Set<Listener>>()
const watchers = new Set<() => void>()
let state: RealtimeState = 'off'
let names: readonly string[] = []

/** Adds a listener to a channel; the answer takes it away. */
export function listen(ch: string, listener: Listener): () => void {
  const all = listeners.get(ch) ?? new Set()
  listeners.set(ch, all.add(listener))
  changed()
  return () => {
    all.delete(listener)
    if (all.size === 0) listeners.delete(ch)
    changed()
  }
}

/** What this tab wants to hear. */
export function wantedChannels(): readonly string[] {
  return names
}

/** Passes on what arrived. */
export function deliver({ ch, rows, gap }: Frame): void {
  for (const listener of listeners.get(ch) ?? []) {
    if (gap) listener.gap()
    else listener.rows(rows)
  }
}

/** Whoever listens asks for everything again. */
export function deliverGap(): void {
  for (const all of listeners.values()) for (const listener of all) listener.gap()
}

export function setRealtimeState(next: RealtimeState): void {
  if (next === state) return
  state = next
  for (const watcher of watchers) watcher()
}

export function realtimeState(): RealtimeState {
  return state
}

/** Runs when channels or state change. */
export function onRealtimeChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function changed(): void {
  const next = [...listeners.keys()].toSorted()
  if (next.join() === names.join()) return
  names = next
  for (const watcher of watchers) watcher()
}
