import { devicesEvents } from '@campus/devices/contract'
import { publish } from '@kit/server/event'
import type { Reply, Request } from '@kit/terminal-protocol'
import type { Line } from '../link/line.ts'
import type { Session } from '../link/sessions.ts'
import { askErased } from '../sync/erased.ts'
import { tellForeign, tellWiped } from '../tell/tell-data.ts'
import { judgeKind, ownersOf, readWanted } from './judge.ts'
import { askAgain, endProof, showsContent, waitingProof } from './proof.queries.ts'
import { beginReading, missPage, nextKind, pageRequest, takePage } from './reading.ts'

/** A device that lacks more than this of what it has said to hold has lost its data (chapter 30 rule 11). */
const lost_share = 0.5

/** The next page of a read-back that waits for a device; null when none does. One that was broken off begins anew. */
export async function nextPage({ db, school_id, device_id, now }: Line, session: Session): Promise<Request | null> {
  const asked_at = await waitingProof(db, { school_id, device_id })
  if (asked_at === undefined) session.proof = null
  else if (session.proof?.asked_at !== asked_at) session.proof = beginReading(session.device?.driver ?? '', asked_at, { now, shows: await showsContent(db, { school_id, device_id }) })
  return session.proof && (pageRequest(session.device?.driver ?? '', session.proof) ?? null)
}

/** A page has come. */
export async function settlePage(line: Line, session: Session, reply: Reply): Promise<void> {
  const { proof: reading, device } = session
  if (!reading || !device) return
  const { db, school_id, device_id, now } = line
  const taken = takePage(device.driver, reading, reply, reading.cursor.step === 0 ? await readWanted(db, { school_id, device_id }, reading.kind) : [])
  if (taken === 'failed') await end(line, session, 'failed')
  if (taken !== 'kind') return
  const { found } = reading
  const of = { school_id, device_id }
  const { checked, missing, different, foreign, back } = await judgeKind(db, of, device.driver, reading, now)
  await askErased(line, await ownersOf(db, of, reading.kind, back))
  reading.found = { checked: found.checked + checked, missing: found.missing + missing, different: found.different + different, foreign: found.foreign + foreign }
  if (nextKind(reading, now)) return
  const is_rebuild = await end(line, session, 'done')
  if (reading.found.foreign > 0) await tellForeign(line, device_id, reading.asked_at)
  if (reading.found.missing > reading.found.checked * lost_share) await tellWiped(line, device_id, reading.asked_at)
  if (reading.found.missing + reading.found.different > 0) await askAgain(db, { school_id, device_id }, now, is_rebuild)
  else if (is_rebuild) await publish(line, devicesEvents.rebuilt, { device_id, at: now.toISOString() })
}

/** A page has not come in time. */
export async function losePage(line: Line, session: Session): Promise<void> {
  if (session.proof && missPage(session.proof) === 'failed') await end(line, session, 'failed')
}

async function end({ db, school_id, device_id, now }: Line, session: Session, state: 'done' | 'failed'): Promise<boolean> {
  const { proof } = session
  session.proof = null
  // Hardware whose settings are not rows of its own is asked for them once a night too.
  session.config_due ??= 'arrival'
  return proof !== null && endProof(db, { school_id, device_id }, { asked_at: proof.asked_at, found: proof.found, state, now })
}
