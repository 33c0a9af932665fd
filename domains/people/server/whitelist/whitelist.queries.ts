import type { whitelistApi } from '@campus/people/contract'
import type { Input } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { numberBegins, parseKeyword, personFits } from '../keyword.ts'
import { visible } from '../tag.queries.ts'
import type { Seen } from '../tag.queries.ts'

const parent_kind = 3
type Asked = Input<typeof whitelistApi.page>
export type LockedLine = Awaited<ReturnType<typeof lockLines>>[number]

/** Is the person in this column one whom the reader may see today, as pupil or staff? Whoever sees the whole school sees those who left too. */
export function personSeen(column: string, seen: Seen): RawBuilder<boolean> {
  if (seen.student === 'all' && seen.staff === 'all') return sql<boolean>`true`
  return sql<boolean>`${sql.ref(column)} in (select v.user_id from (${visible(seen)}) v where v.person_kind <> ${parent_kind})`
}

/** Lines that pass the filter, the latest first: a page of them with the number of all. */
export async function pageLines(db: Db, seen: Seen, asked: Asked): Promise<{ ids: string[]; total: number }> {
  const { state, purpose, person_kind, page_index, page_size } = asked
  const keyword = parseKeyword(asked.keyword)
  const fits = keyword === null ? sql`true` : sql`(${personFits(keyword)} or ${numberFits(keyword.kind === 'words' ? keyword.number : null)})`
  const read = async (limit: number, offset: number) => (await sql<{ id: string; total: number }>`
    select w.id, count(*) over ()::int as total from alipay_whitelist w
    join person p on p.school_id = w.school_id and p.user_id = w.user_id
    left join student s on s.school_id = w.school_id and s.user_id = w.user_id
    left join staff f on f.school_id = w.school_id and f.user_id = w.user_id
    where w.school_id = ${seen.school_id} and p.school_id = ${seen.school_id} and ${fits} and ${personSeen('w.user_id', seen)}
      and ${state === undefined ? sql`true` : sql`w.state = ${state}`} and ${purpose === undefined ? sql`true` : sql`w.purpose = ${purpose}`}
      and ${person_kind === undefined ? sql`true` : sql`w.person_kind = ${person_kind}`}
    order by w.created_at desc, w.id desc limit ${limit} offset ${offset}`.execute(db)).rows
  const rows = await read(page_size, (page_index - 1) * page_size)
  return { ids: rows.map(row => row.id), total: await pageTotal(rows, page_index, () => read(1, 0)) }
}

function numberFits(number: string | null): RawBuilder<boolean> {
  return number === null ? sql<boolean>`false` : sql<boolean>`(${numberBegins('s.student_no', number)} or ${numberBegins('f.teacher_no', number)})`
}

/** These lines with names and numbers, the latest first. */
export function linesOf(db: Db, school_id: number, ids: readonly string[]) {
  return db
    .selectFrom('alipay_whitelist as w')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'w.school_id').onRef('p.user_id', '=', 'w.user_id'))
    .innerJoin('person as y', join => join.onRef('y.school_id', '=', 'w.school_id').onRef('y.user_id', '=', 'w.payer_user_id'))
    .leftJoin('student as s', join => join.onRef('s.school_id', '=', 'w.school_id').onRef('s.user_id', '=', 'w.user_id'))
    .leftJoin('staff as f', join => join.onRef('f.school_id', '=', 'w.school_id').onRef('f.user_id', '=', 'w.user_id'))
    .select([
      'w.id', 'w.user_id', 'w.person_kind', 'w.payer_user_id', 'w.alipay_logon_mask', 'w.purpose', 'w.state', 'w.channel_msg', 'w.created_at', 'w.created_by', 'w.approved_by',
      'p.user_name', 'y.user_name as payer_name', sql<string>`coalesce(case when w.person_kind = 1 then s.student_no else f.teacher_no end, '')`.as('user_no'),
    ])
    .where('w.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('y.school_id', '=', school_id)
    .where(oneOf('w.id', ids))
    .orderBy('w.created_at', 'desc')
    .orderBy('w.id', 'desc')
    .execute()
}

/** Locks these lines, those of them whose people the reader may see. */
export function lockLines(db: Db, seen: Seen, ids: readonly string[]) {
  return db
    .selectFrom('alipay_whitelist as w')
    .select(['w.id', 'w.user_id', 'w.state', 'w.created_by', 'w.purpose'])
    .where('w.school_id', '=', seen.school_id)
    .where(oneOf('w.id', [...new Set(ids)]))
    .where(personSeen('w.user_id', seen))
    .orderBy('w.id')
    .forUpdate('w')
    .execute()
}

type Entered = { user_id: string; person_kind: number; user_name: string; user_no: string; label_dept_id: string | null }

/** These people as pupils or staff of today, those whom the reader may see; a teacher who is a parent is a teacher here. */
export async function payees(db: Db, seen: Seen, user_ids: readonly string[]): Promise<Entered[]> {
  const { rows } = await sql<Entered>`
    select v.user_id, v.person_kind, v.user_name, v.user_no, v.label_dept_id from (${visible(seen)}) v
    where ${oneOf('v.user_id', user_ids)} and v.person_kind <> ${parent_kind} order by v.user_id`.execute(db)
  return rows
}

/** Where pupils and staff stand today; whoever left stands nowhere. */
export async function homesOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('live_person').select(['user_id', 'label_dept_id']).where('school_id', '=', school_id).where('person_kind', '<>', parent_kind).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.flatMap(({ user_id, label_dept_id }) => (label_dept_id === null ? [] : [[user_id, label_dept_id]])))
}

/** Guardians of pupils today, the first contact of each first. */
export function guardiansOf(db: Db, school_id: number, student_user_ids: readonly string[], on: string) {
  return db
    .selectFrom('guardian_link as g')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'g.school_id').onRef('p.user_id', '=', 'g.parent_user_id'))
    .select(['g.student_user_id', 'g.parent_user_id as user_id', 'g.relation', 'p.user_name', 'p.mobile'])
    .where('g.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('g.student_user_id', student_user_ids))
    .where(validOn('g', on))
    .orderBy('g.is_first', 'desc')
    .orderBy('g.order_no')
    .orderBy('g.id')
    .execute()
}
