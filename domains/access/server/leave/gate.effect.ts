import type { LeaveEffect, LeaveFact } from '@campus/leave/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import { readSites } from '../decide/read-facts.ts'
import type { DoorSite } from '../decide/read-facts.ts'
import { derive } from '../grant/derive.ts'

const [student, by_leave, allow, entering, leaving] = [1, 2, 1, 1, 2] as const
const [not_out, alone] = [0, 1] as const
const [minute_ms, day_ms] = [60_000, 86_400_000] as const
/** A leave opens the gates so long before it and lets back in so long after it (chapter 35 R13, access_setting). */
const [before_min, after_min] = [15, 60] as const
/** A leave of at most a day is for going once and coming back once. */
const [once_ms, longest_ms] = [day_ms, 180 * day_ms] as const
const reason_out = '1'

type Wanted = { source_id: string; user_id: string; direction: 1 | 2; valid_from: Date; valid_to: Date; max_times: number | null }

/** The rights that a leave gives at every gate: out from a little before it, in until a little after it. Who is fetched by an adult goes out by the pick-up alone; who does not leave gets none. */
export function rightsOfLeave({ leave_id, exit_mode, members }: Pick<LeaveFact, 'leave_id' | 'exit_mode' | 'members'>): Wanted[] {
  if (exit_mode === not_out) return []
  return members.flatMap(({ user_id, spans }) => spans.flatMap(({ no, begin_at, end_at }): Wanted[] => {
    const source_id = `${leave_id}/${no}/${user_id}`
    const begin = begin_at.getTime()
    const end = Math.min(end_at.getTime(), begin + longest_ms - 2 * 3_600_000)
    const max_times = end - begin <= once_ms ? 1 : null
    const out: Wanted = { source_id, user_id, direction: leaving, valid_from: new Date(begin - before_min * minute_ms), valid_to: new Date(end), max_times }
    const back: Wanted = { source_id, user_id, direction: entering, valid_from: new Date(begin), valid_to: new Date(end + after_min * minute_ms), max_times }
    return (exit_mode === alone ? [out, back] : [back]).filter(one => one.valid_from < one.valid_to)
  }))
}

/** Leave of pupils opens the gates, and closes them again when it is changed or taken back (chapter 70 §7 gate, 35 R13). Leave of staff changes nothing. */
export const gateEffect: LeaveEffect = {
  code: 'gate',
  title: '校门通行',
  undoable: true,
  async preview({ db, school_id }, { person_kind, exit_mode }) {
    if (person_kind !== student || exit_mode === not_out) return null
    const gates = (await readSites(asTables<AccessDb>(db), school_id)).filter(site => site.is_perimeter)
    return gates.length === 0 ? null : { text: exit_mode === alone ? `${gates.length}个校门按请假时间放行` : `${gates.length}个校门凭家长核验放行`, count: gates.length }
  },
  async converge({ app, db: handle, school_id, now }, fact) {
    if (fact.person_kind !== student) return { state: 5, text: '', count: 0 }
    const step: Step = { app, db: asTables<AccessDb>(handle), school_id, now }
    const gates = (await readSites(step.db, school_id)).filter(site => site.is_perimeter)
    const wanted = rightsOfLeave(fact)
    const touched = [...(await revokeOthers(step, fact, wanted)), ...(await writeRights(step, wanted, gates))]
    if (touched.length > 0) await derive(step, [...new Set(touched)], () => [{ kind: 'leave', id: fact.leave_id }])
    if (wanted.length === 0) return { state: 2, text: '校门放行已收回', count: 0 }
    const offline = gates.flatMap(gate => gate.devices).filter(device => !device.online).length
    return { state: 2, text: `已放行${gates.length}个校门${offline > 0 ? `，${offline}台离线设备恢复连接后生效` : ''}`, count: gates.length }
  },
}

/** What the leave no longer says ends now; people who had it. */
async function revokeOthers({ db, school_id, now }: Step, { leave_id }: LeaveFact, wanted: readonly Wanted[]): Promise<string[]> {
  const kept = new Set(wanted.map(one => `${one.source_id} ${one.direction}`))
  const rows = await db.selectFrom('temporary_rule').select(['temporary_rule_id', 'source_id', 'direction']).where('school_id', '=', school_id).where('source', '=', by_leave)
    .where('source_id', '>=', `${leave_id}/`).where('source_id', '<', `${leave_id}0`).where('revoked_at', 'is', null).execute()
  const gone = rows.filter(row => !kept.has(`${row.source_id ?? ''} ${row.direction}`))
  if (gone.length === 0) return []
  await db.updateTable('temporary_rule').set({ revoked_at: now }).where('school_id', '=', school_id).where('temporary_rule_id', 'in', gone.map(row => row.temporary_rule_id)).execute()
  return gone.map(row => row.source_id?.split('/')[2] ?? '')
}

/** Writes the rights as they are now; what is the same stays. @returns people whose rights are others than before */
async function writeRights({ db, school_id, now }: Step, wanted: readonly Wanted[], gates: readonly DoorSite[]): Promise<string[]> {
  if (wanted.length === 0 || gates.length === 0) return []
  const place_ids = gates.map(gate => gate.place_id)
  const rows = wanted.map(({ user_id: _user, ...one }) => one)
  const { rows: written } = await sql<{ temporary_rule_id: string; source_id: string }>`
    insert into temporary_rule (school_id, person_kind, effect, direction, valid_from, valid_to, max_times, source, source_id, reason_code, reason, place_ids, created_at)
    select ${school_id}::int, ${student}::int, ${allow}::int, x.direction, x.valid_from, x.valid_to, x.max_times, ${by_leave}::int, x.source_id, ${reason_out}, '请假', ${place_ids}::bigint[], ${now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(source_id text, direction smallint, valid_from timestamptz, valid_to timestamptz, max_times smallint)
    on conflict on constraint temporary_rule_source do update set valid_from = excluded.valid_from, valid_to = excluded.valid_to, max_times = excluded.max_times, place_ids = excluded.place_ids, revoked_at = null,
      row_version = temporary_rule.row_version + 1
    where (temporary_rule.valid_from, temporary_rule.valid_to) is distinct from (excluded.valid_from, excluded.valid_to) or temporary_rule.revoked_at is not null or temporary_rule.place_ids <> excluded.place_ids
    returning temporary_rule_id::text, source_id`.execute(db)
  const subjects = written.map(({ temporary_rule_id, source_id }) => ({ school_id, temporary_rule_id, user_id: source_id.split('/')[2] ?? '' }))
  if (subjects.length > 0) await db.insertInto('temporary_rule_subject').values(subjects).onConflict(clash => clash.doNothing()).execute()
  return subjects.map(one => one.user_id)
}
