import type { QueryExecutorProvider } from 'kysely'
import { Port } from '../http/port.ts'

/** One consumer that has to hear of one event. Lines of one lane are worked off one after the other. */
export type DueEvent = { school_id: number; ref: string; lane: string; due_at: Date }

/** Filled by the owner of the due list: puts lines there in the caller's transaction, in their order. */
export const dueEventPort = new Port<(db: QueryExecutorProvider, due: readonly DueEvent[]) => Promise<void>>('event.due')

/** The line of the due list for one consumer of one event. */
export function refOf(event_no: string, consumer: string): string {
  return `${event_no}#${consumer}`
}

/** Events of one consumer are heard one after the other. */
export function laneOf(consumer: string): string {
  return `event ${consumer}`
}

/** Takes such a line apart. */
export function readRef(ref: string): { event_no: string; consumer: string } {
  const at = ref.indexOf('#')
  return { event_no: ref.slice(0, at), consumer: ref.slice(at + 1) }
}
