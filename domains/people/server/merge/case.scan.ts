import { case_score, merge_signals, signal_scores } from '@campus/people/contract'
import type { MergeKind, MergeSignal } from '@campus/people/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { validOn } from '../dated.ts'
import type { Db } from '../db.ts'

const most_score = 100
const Signal = z.enum(merge_signals)

type Found = { a: string; b: string; kind: MergeKind; signals: MergeSignal[]; score: number }

/**
 * Looks for people of a school who may be one human being (chapter 20 rule 20) and keeps the list of pairs: new ones are opened, open ones that no sign speaks
 * for any more go, dismissed ones come back for a new sign alone.
 * @returns how many pairs are open
 */
export async function scanDuplicates(db: Db, school_id: number, on: string, now: Date): Promise<number> {
  const found = await likelyPairs(db, school_id, on)
  const rows = JSON.stringify(found)
  const { rows: standing } = await sql<{ id: string }>`
    insert into merge_case as c (school_id, a_user_id, b_user_id, kind, score, signals, opened_at)
    select ${school_id}::int, e.a, e.b, e.kind, e.score, e.signals, ${now} from jsonb_to_recordset(${rows}::jsonb) as e(a bigint, b bigint, kind text, score smallint, signals text[])
    on conflict (school_id, a_user_id, b_user_id) do update set kind = excluded.kind, score = excluded.score, signals = excluded.signals,
      state = case when c.state = 'dismissed' and not excluded.signals <@ c.signals then 'open' else c.state end,
      opened_at = case when c.state = 'dismissed' and not excluded.signals <@ c.signals then excluded.opened_at else c.opened_at end
    where c.state <> 'merged'
    returning c.id`.execute(db)
  // A face that a terminal refused was told once and is not found again.
  await sql`
    delete from merge_case c where c.school_id = ${school_id} and c.state = 'open' and not 'face' = any(c.signals)
      and not c.id = any(${standing.map(row => row.id)}::bigint[])`.execute(db)
  const { n } = await db.selectFrom('merge_case').select(sql<number>`count(*)::int`.as('n')).where('school_id', '=', school_id).where('state', '=', 'open').executeTakeFirstOrThrow()
  return n
}

async function likelyPairs(db: Db, school_id: number, on: string): Promise<Found[]> {
  const { rows } = await signs(school_id, on).execute(db)
  return [...Map.groupBy(rows, row => `${row.a} ${row.b}`).values()].flatMap(list => {
    const [first] = list
    const signals = merge_signals.filter(signal => list.some(row => row.signal === signal))
    const score = Math.min(most_score, signals.reduce((sum, signal) => sum + signal_scores[Signal.parse(signal)], 0))
    if (!first || score < case_score) return []
    const kind: MergeKind = first.is_student ? 'student' : first.is_staff ? 'teacher' : 'parent'
    return [{ a: first.a, b: first.b, kind, signals, score }]
  })
}

type Sign = { a: string; b: string; signal: string; is_student: boolean; is_staff: boolean }

/** Every sign that speaks for a pair of people in school, the lower id first; pupils are compared with pupils, grown-ups with grown-ups. */
function signs(school_id: number, on: string) {
  const pair = sql`y.is_student = x.is_student and y.user_id > x.user_id`
  return sql<Sign>`
    with here as materialized (
      select distinct on (l.user_id) l.user_id, l.person_kind = 1 as is_student, l.person_kind not in (1, 3) as is_staff, p.user_name, p.name_py, p.birthday, p.mobile, p.tel
      from (select user_id, person_kind from live_person where school_id = ${school_id} union all select user_id, 1 from kept_student where school_id = ${school_id}) l
      join person p on p.school_id = ${school_id} and p.user_id = l.user_id
      order by l.user_id, l.person_kind
    ), number as (
      select user_id, is_student, is_staff, mobile as no from here where not is_student and mobile is not null
      union select user_id, is_student, is_staff, tel from here where not is_student and tel is not null
    ), class as (
      select m.user_id, m.dept_id, h.is_student, h.is_staff, h.name_py from dept_member m join here h on h.user_id = m.user_id
      where m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('m', on)}
    ), child as (
      select g.student_user_id as user_id, g.parent_user_id, h.is_student, h.is_staff, h.user_name from guardian_link g join here h on h.user_id = g.student_user_id
      where g.school_id = ${school_id} and ${validOn('g', on)}
    )
    select x.user_id::text as a, y.user_id::text as b, 'mobile' as signal, x.is_student, x.is_staff and y.is_staff as is_staff from number x join number y on y.no = x.no and ${pair}
    union select x.user_id::text, y.user_id::text, 'name_birthday', x.is_student, x.is_staff and y.is_staff from here x join here y on y.user_name = x.user_name and y.birthday = x.birthday and ${pair}
    union select x.user_id::text, y.user_id::text, 'name_guardian', x.is_student, x.is_staff and y.is_staff from child x join child y on y.parent_user_id = x.parent_user_id and y.user_name = x.user_name and ${pair}
    union select x.user_id::text, y.user_id::text, 'pinyin_class', x.is_student, x.is_staff and y.is_staff from class x join class y on y.dept_id = x.dept_id and y.name_py = x.name_py and ${pair}
    order by a, b, signal`
}
