import { schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Step } from '../db.ts'
import { decide } from '../decide/decide.ts'
import type { Facts } from '../decide/facts.ts'
import { readFacts, readSites } from '../decide/read-facts.ts'
import { readSubjects } from '../decide/read-subjects.ts'
import type { Person } from '../decide/read-subjects.ts'
import { looked_back_ms } from './find.ts'
import type { Seen } from './find.ts'
import { leftLessons } from './lesson.ts'
import type { Exit } from './lesson.ts'

const [accepted, agrees, unjustified, wrongly_refused] = [1, 1, 2, 3] as const
const [student, leaving] = [1, 2] as const
/** Rungs of standing rules; above them stand one-off rights, which somebody has given for this moment. */
const first_standing = 6
/** Refusals that rest on rights; a lost card, a stranger or a temperature is no question of rights (R11). */
const of_rights: readonly number[] = [1, 2, 3, 4, 10, 11, 12, 13]
const judged_kinds: readonly number[] = [1, 2, 3, 6, 7]
/** Commands after which a door lets through without a look at rights (R9). */
const [held_open, evacuated] = [2, 5] as const

const Row = z.object({
  event_date: z.string(),
  device_id: z.string(),
  device_seq: z.string(),
  subject_kind: z.number(),
  subject_id: z.string().nullable(),
  dept_id: z.string().nullable(),
  place_id: z.string().nullable(),
  direction: z.number(),
  result: z.number(),
  judge: z.number(),
  at: z.date(),
  is_perimeter: z.boolean(),
  is_new: z.boolean(),
  is_free: z.boolean(),
  handed_at: z.date().nullable(),
})
type Row = z.output<typeof Row>

/**
 * Decides passes that are new again at their moment, by dated facts,
   and writes down whether the door did the same (R32). A right for so many times counts as unused: which of its passes
 * was one too many is the terminal's and the counter's affair (R14). @returns those passes with what the same people
   and doors did half an hour before
 */
export async function judgePasses(step: Step, { from_seq, to_seq }: { from_seq: string; to_seq: string }): Promise<Seen[]> {
  const { db, school_id } = step
  const rows = await around(step, from_seq, to_seq)
  const asked = rows.filter(
    row =>
      row.is_new && !row.is_free && row.subject_id !== null && judged_kinds.includes(row.subject_kind) && of_rights.includes(row.result),
  )
  const judged = await verdicts(step, asked)
  const escaped = await leftLessons(step, [...judged].flatMap(([row, { grade, rung }]) => exitOf(row, grade, rung)))
  const values = asked.flatMap(row => {
    const judge = judged.get(row)?.judge
    return judge === undefined ? [] : [{ event_date: row.event_date, device_id: row.device_id, device_seq: row.device_seq, judge }]
  })
  if (values.length > 0) {
    const dates = values.map(row => row.event_date).toSorted()
    await sql`
      update access_pass p set judge = x.judge from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) x(event_date date,
        device_id bigint, device_seq text, judge smallint)
      where p.school_id = ${school_id} and p.event_date between ${dates[0]}::date and ${dates.at(-1)}::date
        and p.event_date = x.event_date and p.device_id = x.device_id and p.device_seq = x.device_seq`.execute(db)
  }
  return rows.map(row => ({
    ...row,
    key: keyOf(row),
    judge: judged.get(row)?.judge ?? (row.is_new ? 0 : row.judge),
    leaves_lesson: escaped.has(keyOf(row)),
    detail: detailOf(row),
  }))
}

const keyOf = ({ event_date, device_id, device_seq }: Row) => `${event_date}/${device_id}/${device_seq}`

/** A pupil who has gone out by a gate by no one-off right. */
function exitOf(row: Row, grade: string | null, rung: number): Exit[] {
  const { subject_kind, subject_id, direction, result, is_perimeter, at } = row
  const went = subject_kind === student && direction === leaving && result === accepted && is_perimeter && rung >= first_standing
  return went && subject_id !== null ? [{ key: keyOf(row), user_id: subject_id, grade, date: schoolMoment(at).date, at }] : []
}

/** New passes, and those of the same people and doors shortly before. */
async function around({ db, school_id }: Step, from_seq: string, to_seq: string): Promise<Row[]> {
  const { rows } = await sql`
    with fresh as (
      select p.event_date, p.event_time, p.subject_kind, p.subject_id, p.device_id from access_pass p
      where p.school_id = ${school_id} and p.ingest_seq >= ${from_seq} and p.ingest_seq <= ${to_seq} and p.event_time is not null),
    span as (select min(event_date) - 1 as first, max(event_date) as last, min(event_time) as since, max(event_time) as until from fresh)
    select p.event_date::text, p.device_id::text, p.device_seq, p.subject_kind::int, p.subject_id::text, p.dept_id::text,
      p.place_id::text, p.direction::int, p.result::int, p.judge::int, p.event_time as at, p.is_perimeter,
      (p.ingest_seq >= ${from_seq} and p.ingest_seq <= ${to_seq}) as is_new,
      coalesce((select c.kind in (${held_open}, ${evacuated}) from door_command c where c.school_id = ${school_id}
        and c.device_id = p.device_id and c.kind > 1 and c.asked_on >= s.first - 31 and c.asked_at <= p.event_time
        and (c.hold_until is null or c.hold_until > p.event_time) order by c.asked_at desc limit 1), false) as is_free,
      (select y.applied_at from sync_person_v y where y.school_id = ${school_id} and y.device_id = p.device_id
        and y.user_id = p.subject_id and y.kind = 'person' and y.want_op = 'put' limit 1) as handed_at
    from span s join access_pass p on p.school_id = ${school_id} and p.event_date between s.first and s.last
      and p.event_time >= s.since - make_interval(secs => ${looked_back_ms / 1000}) and p.event_time <= s.until
      and (exists (select 1 from fresh f where f.subject_id = p.subject_id and f.subject_kind = p.subject_kind)
        or (p.subject_id is null and exists (select 1 from fresh f where f.device_id = p.device_id and f.subject_id is null)))
    where not p.is_repeat or p.result <> ${accepted}
    order by p.event_time, p.device_id, p.device_seq`.execute(db)
  return z.array(Row).parse(rows)
}

type Verdict = { judge: number; rung: number; grade: string | null }

async function verdicts({ db, school_id }: Step, asked: readonly Row[]): Promise<Map<Row, Verdict>> {
  const [first] = asked
  if (!first) return new Map()
  const facts = uncounted(await readFacts(db, school_id, first.at))
  const sites = new Map((await readSites(db, school_id)).map(site => [site.place_id, site]))
  const judged = new Map<Row, Verdict>()
  for (const own of Map.groupBy(asked, row => schoolMoment(row.at).date).values()) {
    const at = own[0]?.at ?? first.at
    const found = await readSubjects(db, facts, { school_id, at, user_ids: [...new Set(own.flatMap(row => row.subject_id ?? []))] })
    const people = new Map(found.map(person => [`${person.person_kind}/${person.user_id}`, person]))
    for (const row of own) {
      const site = row.place_id === null ? undefined : sites.get(row.place_id)
      if (!site) continue
      const person: Person = people.get(`${row.subject_kind}/${row.subject_id}`) ?? nobody(row)
      const { allowed, rung } = decide(facts, person, site, row.direction === 1 ? 1 : row.direction === 2 ? 2 : 3, row.at.getTime())
      const judge = allowed === (row.result === accepted) ? agrees : allowed ? wrongly_refused : unjustified
      judged.set(row, { judge, rung, grade: person.grade })
    }
  }
  return judged
}

function uncounted(facts: Facts): Facts {
  return { ...facts, temporaries: new Map([...facts.temporaries].map(([key, own]) => [key, own.map(one => ({ ...one, used: 0 }))])) }
}

/** Somebody who is not of the school at that moment: the first rung refuses him. */
function nobody({ subject_kind, subject_id }: Row): Person {
  return {
    user_id: subject_id ?? '',
    user_name: '',
    person_kind: subject_kind,
    live: [],
    levels: [],
    grade: null,
    study_method: null,
    by_bus: false,
    tag_ids: [],
    wards: [],
    dept_ids: [],
  }
}

/** The terminal's acknowledged state of him, as evidence of what it went by. */
function detailOf({ handed_at }: Row): string {
  if (handed_at === null) return '终端上没有此人的权限'
  const { date, minute } = schoolMoment(handed_at)
  return `终端按 ${date} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')} 确认的权限判断`
}
