import { ClockBook } from './clock-book.ts'
import type { Session, Sessions } from './sessions.ts'

/** Opens the session of a client that has come in. @returns the one it takes over, if any */
export function openSession(sessions: Sessions, { client_id, school_id, address }: Pick<Session, 'client_id' | 'school_id' | 'address'>, device: Session['device']): Session | undefined {
  return sessions.open({ client_id, school_id, address, device, is_listening: false, epoch: null, in_flight: null, config_due: null, config_asked: false, proof: null, probe: null, down_seq: 0, door: null, children: null, algorithms: null, board: null, heard_ms: performance.now(), held_until: null, is_drained: false, clock: new ClockBook() })
}
