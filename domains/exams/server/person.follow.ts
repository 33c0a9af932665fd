import type { Erase, MovedRow, Rekey } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { ExamsDb } from './db.ts'

const title = '考试与成绩'
const moving = ['exam_candidate', 'exam_seat', 'exam_invigilator', 'exam_score', 'exam_review', 'exam_presence',
  'exam_second_entry'] as const
const journals = ['exam', 'exam_plan_run', 'exam_entry_task', 'exam_score_log', 'exam_amend', 'exam_release', 'exam_presence_room',
  'exam_swap', 'exam_control_override'] as const
const tables = [...moving, ...journals]
const journal = '考试记录不改写'
const stays = { exam: journal, exam_plan_run: journal, exam_entry_task: journal, exam_score_log: journal, exam_amend: journal,
  exam_release: journal, exam_presence_room: journal, exam_swap: journal, exam_control_override: journal } as const

type Handle = ReturnType<typeof asTables<ExamsDb>>
type Moving = (typeof moving)[number]
/** What of a row, beside the person, is its own. */
const keys_of: Readonly<Record<Moving, string>> = {
  exam_candidate: 'exam_id', exam_seat: 'session_id', exam_invigilator: 'session_id', exam_score: 'paper_id', exam_review: 'paper_id',
    exam_presence: 'session_id', exam_second_entry: 'paper_id',
}

/** The rows of a person that go along: not where the kept person has one of the same exam, session or paper. */
async function moveRows(db: Handle, school_id: number, table: Moving, from: string, to: string): Promise<string[]> {
  const key = keys_of[table]
  const { rows } = await sql<{ key: string }>`
    update ${sql.table(table)} t set user_id = ${to}::bigint where t.school_id = ${school_id} and t.user_id = ${from} and not exists (
      select 1 from ${sql.table(table)} o where o.school_id = ${school_id} and o.user_id = ${to} and o.${sql.ref(key)} = t.${sql.ref(key)}) returning t.${sql.ref(key)}::text as key`.execute(db)
  return rows.map(row => row.key)
}

/** Exams, seats, duties and scores, when two files turn out to be one person: they go to the kept one (chapter 55 §7). */
export const examsRekey: Rekey = {
  domain: 'exams',
  title,
  tables,
  stays,
  async preview({ db, school_id, drop_user_id }) {
    const { rows } = await sql<{ n: number }>`
      select (select count(*)::int from exam_candidate c where c.school_id = ${school_id} and c.user_id = ${drop_user_id})
        + (select count(*)::int from exam_invigilator i where i.school_id = ${school_id} and i.user_id = ${drop_user_id}) as n`.execute(asTables<ExamsDb>(db))
    const count = rows[0]?.n ?? 0
    return { moves: count > 0 ? [{ title, count }] : [], conflicts: [] }
  },
  async apply({ db, school_id, keep_user_id, drop_user_id }) {
    const moved: MovedRow[] = []
    for (const table of moving) {
      const keys = await moveRows(asTables<ExamsDb>(db), school_id, table, drop_user_id, keep_user_id)
      moved.push(...keys.map((row_key): MovedRow => ({ table_name: table, row_key, column_name: 'user_id', old_user_id: drop_user_id, before: {} })))
    }
    return moved
  },
  async undo({ db, school_id, keep_user_id, drop_user_id }, rows) {
    for (const table of moving) {
      const keys = rows.filter(row => row.table_name === table).map(row => row.row_key)
      const key = keys_of[table]
      await sql`update ${sql.table(table)} set user_id = ${drop_user_id}::bigint where school_id = ${school_id} and user_id = ${keep_user_id} and ${sql.ref(key)} = any(${keys}::bigint[])`.execute(asTables<ExamsDb>(db))
    }
    return []
  },
  mark: () => Promise.resolve(null),
}

/** Who is erased stands in no plan; scores stay under the bare number, as figures of classes and grades count them. */
export const examsErase: Erase = {
  domain: 'exams',
  title,
  stage: 'rows',
  tables,
  stays: {
    ...stays, exam_candidate: '只留编号，供统计', exam_score: '只留编号，供统计', exam_invigilator: '监考记录不改写', exam_review: journal,
      exam_presence: '只留编号，供统计', exam_second_entry: journal,
  },
  async erase({ db, school_id, user_id }) {
    const { numDeletedRows } = await asTables<ExamsDb>(db).deleteFrom('exam_seat').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
    return numDeletedRows === 0n ? [] : [{ store: 'db:exams', title, action: 'anonymised', acked: true, evidence: `${numDeletedRows} 行` }]
  },
}
