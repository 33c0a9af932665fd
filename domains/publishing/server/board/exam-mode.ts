import { examEvents } from '@campus/exams/contract'
import { content_state, source, target_kind } from '@campus/publishing/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { workOf } from '../db.ts'
import type { Work } from '../db.ts'
import { writeTargets } from './content.service.ts'
import { board_types } from './facts.ts'
import { markDirty } from './plan.service.ts'

type Session = { session_id: string; begin_at: string; end_at: string }
const [before_ms, zone_ms] = [30 * 60_000, 8 * 3_600_000] as const
const [most_title, most_text, highest, offline_hours] = [40, 300, 9, 720] as const
/** Nobody by name: the plan of an exam wrote it. */
const by_system = '0'

const timeOf = (at: string) => new Date(Date.parse(at) + zone_ms).toISOString().slice(11, 16)

/** Boards of the rooms cover themselves with the exam from half an hour before a session to its end; their deliveries are the receipts (chapter 55 rule 31). */
async function showSession(work: Work, { session_id, begin_at, end_at }: Session): Promise<void> {
  const { db, school_id, now } = work
  await endSession(work, session_id, '考试安排更新')
  const { rows } = await sql<{ place_id: string; room_number: number; exam_name: string; session_name: string }>`
    select place_id::text as place_id, room_number::int as room_number, exam_name, session_name from exam_board_v
    where school_id = ${school_id} and session_id = ${session_id} order by room_number`.execute(db)
  const boards = await boardsAt(work, rows.map(row => row.place_id))
  const valid_to = new Date(end_at)
  if (valid_to <= now) return
  for (const row of rows.filter(one => boards.some(board => board.place_id === one.place_id))) {
    const text = `${row.room_number}考场　${row.session_name}　${timeOf(begin_at)}—${timeOf(end_at)}　请按座位号就座，保持安静`
    const { content_id } = await db.insertInto('publishing_content').values({
      school_id, title: row.exam_name.slice(0, most_title), source_kind: source.text, source_id: session_id, text: text.slice(0,
        most_text), zone: 'full', priority: highest, weight: 1,
      valid_from: new Date(Date.parse(begin_at) - before_ms), valid_to, offline_ttl_hours: offline_hours, state: content_state.live,
        created_at: now, created_by: by_system, updated_at: now,
    }).returning('content_id').executeTakeFirstOrThrow()
    await writeTargets(work, content_id, [{ mode: 1, target: target_kind.place, target_id: row.place_id }])
  }
  await markDirty(work, boards.map(board => board.device_id), '考场模式')
}

/** Takes the exam of a session off its boards, or off those of some of its rooms. */
async function endSession(work: Work, session_id: string, take_reason: string, place_ids?: readonly string[]): Promise<void> {
  const { db, school_id, now } = work
  const { rows } = await sql<{ content_id: string; target_id: string }>`
    select c.content_id::text as content_id, t.target_id::text as target_id from publishing_content c
    join publishing_content_target t on t.school_id = ${school_id} and t.content_id = c.content_id
    where c.school_id = ${school_id} and c.source_kind = ${source.text} and c.source_id = ${session_id}
      and c.state = ${content_state.live}`.execute(db)
  const taken = rows.filter(row => place_ids?.includes(row.target_id) ?? true)
  if (taken.length === 0) return
  await db.updateTable('publishing_content').set({ state: content_state.taken, take_reason, updated_at: now })
    .where('school_id', '=', school_id).where('content_id', 'in', taken.map(row => row.content_id)).execute()
  const boards = await boardsAt(work, taken.map(row => row.target_id))
  await markDirty(work, boards.map(board => board.device_id), '考场模式结束')
}

async function boardsAt({ db, school_id }: Work, place_ids: readonly string[]) {
  return db.selectFrom('device_live_v').select(['device_id', 'place_id']).where('school_id', '=', school_id)
    .where('device_type', 'in', [...board_types]).where('place_id', 'in', ['0', ...place_ids]).execute()
}

export const examConsumers = [
  consume('publishing.show_exam', examEvents.sessionPublished.name, examEvents.sessionPublished.payload, (step, session) =>
    showSession(workOf(step), session)),
  consume('publishing.end_exam', examEvents.sessionRecalled.name, examEvents.sessionRecalled.payload, (step, { session_id }) =>
    endSession(workOf(step), session_id, '考试安排撤回')),
  consume('publishing.lift_exam', examEvents.controlEnded.name, examEvents.controlEnded.payload, async (step, { session_id, place_ids,
    kind }) => {
    if (kind === 'board') await endSession(workOf(step), session_id, '考场模式已解除', place_ids)
  }),
]
