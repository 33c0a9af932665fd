import { attend_states as states, attendTemplates } from '@campus/attendance/contract'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import type { AttendanceDb, Step } from '../db.ts'
import { notice_timer } from './plan.ts'

type Due = {
  user_id: string
  expect_kind: number
  occurrence_id: string
  kind: 'absent' | 'late' | 'corrected'
  half: string
  title: string
  state: number | null
  provisional: boolean | null
  name: string
}
const state_words: Readonly<Record<number, string>> = { 1: '正常', 2: '迟到', 3: '早退', 5: '请假', 7: '补签', 8: '外勤', 9: '免考勤' }

/** Writes to families what is due of a day. */
export const noticeTimer: TimerKind = {
  kind: notice_timer,
  async run(handle, { app, school_id, ref, now }) {
    const [date = ''] = ref.split('/')
    await sendDue({ app, db: asTables<AttendanceDb>(handle), school_id, now }, date)
  },
}

/**
 * Sends one message a pupil, half-day and kind: what still holds is told, the rest is dropped. A further lesson of a half-day that was told
 * already goes without a message of its own.
 */
async function sendDue(step: Step, date: string): Promise<void> {
  const due = await readDue(step, date)
  const gone = due.filter(one => !holds(one))
  await mark(step, date, gone, { dropped_at: step.now })
  const cases = Map.groupBy(due.filter(holds), one => `${one.kind}/${one.user_id}/${one.half}`)
  for (const own of cases.values()) await sendCase(step, date, own)
}

function holds({ kind, state, provisional }: Due): boolean {
  if (kind === 'corrected') return state !== null && state !== states.absent
  return provisional === false && state === (kind === 'absent' ? states.absent : states.late)
}

async function sendCase(step: Step, date: string, own: readonly Due[]): Promise<void> {
  const [first] = own
  if (!first) return
  const { kind, user_id, half, name, occurrence_id } = first
  const to = await guardiansOf(step, user_id)
  const is_told = kind === 'absent' && (await wasTold(step, date, first))
  const message_ref = `${kind}:${date}:${user_id}:${half}:${occurrence_id}`
  if (to.length > 0 && !is_told) {
    const lessons = own
      .map(one => (kind === 'corrected' ? `${one.title} ${state_words[one.state ?? 0] ?? ''}` : one.title))
      .join('、')
      .slice(0, 120)
    const receivers = to.map(parent => ({ user_id: parent, subject_user_id: user_id }))
    await send(step, {
      template: attendTemplates[kind],
      source_ref: message_ref,
      to: receivers,
      values: { name: name.slice(0, 30), date, lessons },
      level: 2,
    })
  }
  await mark(step, date, own, { sent_at: step.now, message_ref: to.length > 0 ? message_ref : null })
}

async function readDue({ db, school_id, now }: Step, date: string): Promise<Due[]> {
  const { rows } = await sql<Due>`
    select n.user_id::text as user_id, n.expect_kind::int as expect_kind, n.occurrence_id::text as occurrence_id, n.kind, n.half, n.title,
      r.state::int as state, r.provisional, coalesce(p.display_name, '') as name
    from attend_notice n
    left join attend_result r on r.school_id = ${school_id} and r.lesson_date = n.lesson_date and r.expect_kind = n.expect_kind
      and r.occurrence_id = n.occurrence_id and r.user_id = n.user_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = n.user_id
    where n.school_id = ${school_id} and n.lesson_date = ${date}::date and n.sent_at is null and n.dropped_at is null and n.due_at <= ${now}
    order by n.user_id, n.title, n.occurrence_id`.execute(db)
  return rows
}

async function wasTold({ db, school_id }: Step, date: string, { user_id, half, kind }: Due): Promise<boolean> {
  const found = await db
    .selectFrom('attend_notice')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('lesson_date', '=', date)
    .where('user_id', '=', user_id)
    .where('half', '=', half)
    .where('kind', '=', kind)
    .where('message_ref', 'is not', null)
    .limit(1)
    .execute()
  return found.length > 0
}

async function guardiansOf({ db, school_id, now }: Step, user_id: string): Promise<string[]> {
  const today = schoolDay(now)
  const rows = await db
    .selectFrom('guardian_span')
    .select('parent_user_id')
    .where('school_id', '=', school_id)
    .where('student_user_id', '=', user_id)
    .where('is_guardian', '=', true)
    .where('valid_from', '<=', today)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', today)]))
    .orderBy('parent_user_id')
    .execute()
  return rows.map(row => row.parent_user_id)
}

async function mark({ db, school_id }: Step, date: string, own: readonly Due[], facts: object): Promise<void> {
  for (const one of own) {
    await db
      .updateTable('attend_notice')
      .set(facts)
      .where('school_id', '=', school_id)
      .where('lesson_date', '=', date)
      .where('user_id', '=', one.user_id)
      .where('expect_kind', '=', one.expect_kind)
      .where('occurrence_id', '=', one.occurrence_id)
      .where('kind', '=', one.kind)
      .execute()
  }
}
