import type { InFlight, Session, Sessions } from './sessions.ts'

/** A command is out. `patience_ms`: how long its answer may take before `timed_out` is called. */
export function depart(sessions: Sessions, session: Session, { patience_ms, ...command }: Pick<InFlight, 'id' | 'rows' | 'reads' | 'began_ms'> & { patience_ms: number }, timed_out: (id: string) => Promise<void>): void {
  const timer = setTimeout(() => void sessions.queue(session.client_id, () => timed_out(command.id)), patience_ms).unref()
  session.in_flight = { ...command, timer }
}

/** Nothing is waited for any more; another device may have its place. */
export function land(sessions: Sessions, session: Session): void {
  clearTimeout(session.in_flight?.timer)
  session.in_flight = null
  sessions.flights.give(session)
}

/** Notes how long a device took for rows that it has answered to. */
export function notePace(sessions: Sessions, { school_id, device }: Session, { rows, reads, began_ms }: InFlight): void {
  if (device && reads === null) sessions.paces.note({ school_id, device_id: device.device_id }, rows, performance.now() - began_ms)
}
