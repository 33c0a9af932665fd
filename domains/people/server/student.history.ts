import { sql } from 'kysely'
import { insertRows } from './bulk.ts'
import type { Db } from './db.ts'

/** What became of a pupil on a day: another class, gone (with or without graduation), suspended until a day, back again. */
export type PupilStep = { user_id: string; on: string } & (
  | { kind: 'CLASS'; dept_id: string }
  | { kind: 'GRAD' }
  | { kind: 'OUT'; reason: string; to_where: string }
  | { kind: 'SUSPEND'; reason: string; until: string }
  | { kind: 'RETURN'; dept_id: string }
)

const class_type = 4
const suspended = '02'
const in_class = { state: '01', state_until: null, reason: null }

/**
 * Writes what is known of the past of pupils on the roll: states and classes over days, nothing else. The steps of one pupil stand in
 * the order of their days; each ends what held before it.
 */
export async function recordPupilSteps(db: Db, school_id: number, steps: readonly PupilStep[]): Promise<void> {
  const of_pupils = [...Map.groupBy(steps, step => step.user_id).values()]
  const most = Math.max(0, ...of_pupils.map(own => own.length))
  for (let at = 0; at < most; at += 1) await recordRound(db, school_id, of_pupils.flatMap(own => own[at] ?? []))
}

/** At most one step of a pupil. */
async function recordRound(db: Db, school_id: number, steps: readonly PupilStep[]): Promise<void> {
  await endSpans(db, school_id, steps.filter(({ kind }) => kind === 'OUT' || kind === 'GRAD' || kind === 'SUSPEND'))
  await endMemberships(db, school_id, steps.filter(({ kind }) => kind === 'OUT' || kind === 'GRAD' || kind === 'CLASS'))
  const opening = steps.filter(step => step.kind === 'SUSPEND' || step.kind === 'RETURN')
  await insertRows(db, 'student_span', opening.map(step => {
    const { state, state_until, reason } = step.kind === 'SUSPEND' ? { state: suspended, state_until: step.until, reason: step.reason } : in_class
    return { school_id, user_id: step.user_id, state, valid_from: step.on, state_until, open_kind: step.kind, reason }
  }))
  await insertRows(db, 'dept_member', steps.flatMap(step => {
    if (step.kind !== 'CLASS' && step.kind !== 'RETURN') return []
    return [{ school_id, user_id: step.user_id, dept_id: step.dept_id, member_kind: 'student', dept_type: class_type, valid_from: step.on }]
  }))
}

async function endSpans(db: Db, school_id: number, steps: readonly PupilStep[]): Promise<void> {
  const texts = steps.map(step => (step.kind === 'OUT' ? step : step.kind === 'SUSPEND' ? { ...step, to_where: null } : { reason: null, to_where: null }))
  await sql`
    update student_span t set valid_to = x.day, close_kind = x.kind, reason = x.reason, to_where = x.to_where
    from unnest(${steps.map(step => step.user_id)}::bigint[], ${steps.map(step => step.on)}::date[], ${steps.map(step => step.kind)}::text[],
      ${texts.map(text => text.reason)}::text[], ${texts.map(text => text.to_where)}::text[]) x(user_id, day, kind, reason, to_where)
    where t.school_id = ${school_id} and t.user_id = x.user_id and t.valid_to is null`.execute(db)
}

async function endMemberships(db: Db, school_id: number, steps: readonly PupilStep[]): Promise<void> {
  await sql`
    update dept_member m set valid_to = x.day
    from unnest(${steps.map(step => step.user_id)}::bigint[], ${steps.map(step => step.on)}::date[]) x(user_id, day)
    where m.school_id = ${school_id} and m.user_id = x.user_id and m.member_kind = 'student' and m.valid_to is null`.execute(db)
}
