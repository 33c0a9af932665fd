import { insertMany } from '@kit/server/db'
import type { Step } from '../db.ts'
import type { DoorSite } from '../decide/read-facts.ts'

/** What a change of rights comes from: a rule, a one-off rule, a ban, a leave, an exam, a visit. */
export type Cause = { kind: 'rule' | 'temporary' | 'ban' | 'leave' | 'exam' | 'visit'; id: string }
/** What the changed rights of a person come from. */
export type CausesOf = (user_id: string) => readonly Cause[]
/** Where a right is or was; direction 3: both ways. */
export type At = { user_id: string; place_id: string; direction: number }
type Changes = { sites: readonly DoorSite[]; changed: readonly At[]; gone: readonly At[] }

const key = ['school_id', 'cause_kind', 'cause_id', 'effect', 'device_id'] as const
const both_ways = 3

/** Opens a receipt by cause and door for rights that have changed (chapter 35 §1.2); one that is there already begins anew. */
export async function recordEffects(step: Omit<Step, 'app'>, causes: CausesOf, { sites, changed, gone }: Changes): Promise<void> {
  const { db, school_id, now } = step
  const doors = new Map(sites.map(site => [site.place_id, site.devices]))
  const lines = [...changed.map(at => ({ at, effect: 'give' })), ...gone.map(at => ({ at, effect: 'take' }))].flatMap(({ at, effect }) => {
    const { user_id, place_id, direction } = at
    const meets = (way: number) => way === direction || way === both_ways || direction === both_ways
    const devices = (doors.get(place_id) ?? []).filter(one => meets(one.direction))
    return causes(user_id).flatMap(({ kind: cause_kind, id: cause_id }) => devices.map(({ device_id }) => ({ cause_kind, cause_id, effect, device_id, user_id })))
  })
  const receipts = Map.groupBy(lines, ({ cause_kind, cause_id, effect, device_id }) => `${cause_kind} ${cause_id} ${effect} ${device_id}`)
  const rows = [...receipts.values()].flatMap(own => {
    const { user_id: _user, ...of } = own[0] ?? {}
    return [{ ...of, school_id, people: new Set(own.map(line => line.user_id)).size, state: 0, text: '', at: now, done_at: null }]
  })
  await insertMany(db, 'access_effect', rows, { columns: key, set: ['people', 'state', 'text', 'at', 'done_at'] })
}
