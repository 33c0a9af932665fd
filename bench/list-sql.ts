import type pg from 'pg'

/** The page of the roll written by hand, as quick as we know: what a list of 20 pupils, its total and their guardians cost without a product around. */
const person_fields = 'p.id_no_mask, p.birthday, p.nation, p.country, p.gatqw, p.tel, p.address, p.mail_address, p.home_address, p.postcode, p.photo_file_key'
const student_fields =
  's.health, s.birth_division, s.hukou_division, s.hukou, s.entry_way, s.study_method, s.only_child, s.preschool, s.left_behind, s.migrant_child, s.orphan, s.martyr_child, s.need_aid, s.boarding_aid, s.disability, s.distance_km, s.commute'
const valid = (alias: string) => `${alias}.valid_from <= $2::date and (${alias}.valid_to is null or ${alias}.valid_to > $2::date)`
const has_guardian = `exists (select from guardian_link g where g.school_id = $1 and g.student_user_id = s.user_id and ${valid('g')})`

const roll = `select t.user_id from student_span t where t.school_id = $1 and t.state = '01' and ${valid('t')}`
const in_class = `select m.user_id from dept_member m where m.school_id = $1 and m.member_kind = 'student' and ${valid('m')}`
/** Hashed once, never a join. */
const among = (column: string, rows: string) => `coalesce(${column} in (${rows}), false)`
const live = `from student s join person p on p.school_id = s.school_id and p.user_id = s.user_id where s.school_id = $1 and p.status = 'live' and ${among('s.user_id', roll)}`

/** A few of the whole roll, in the order of an index. */
const first_of_all = `select s.user_id ${live} and (select true from dept_member m where m.school_id = $1 and m.user_id = s.user_id and m.member_kind = 'student' and ${valid('m')} limit 1)
  order by s.student_no limit 20`
const all = `select count(*)::int as total from student_span t where t.school_id = $1 and t.state = '01' and ${valid('t')} and ${among('t.user_id', in_class)}
  and not ${among('t.user_id', "select p.user_id from person p where p.school_id = $1 and p.status <> 'live'")}`

const named = `${live} and ${among('s.user_id', in_class)} and p.user_name like $3`
const first_named = `select s.user_id ${named} order by s.student_no limit 20`
const all_named = `select count(*)::int as total ${named}`

const details = `select s.user_id, p.user_name, s.student_no, m.dept_id, v.dept_name, v.grade, p.sex, p.id_type, p.id_no_mask, s.study_method, t.state, t.state_until,
    p.photo_file_key, p.row_version, p.updated_at, round(100.0 * (num_nonnulls(${person_fields}, ${student_fields}) + ${has_guardian}::int) / 29)::int as completeness
  from student s
  join person p on p.school_id = s.school_id and p.user_id = s.user_id
  join student_span t on t.school_id = s.school_id and t.user_id = s.user_id and ${valid('t')}
  left join dept_member m on m.school_id = s.school_id and m.user_id = s.user_id and m.member_kind = 'student' and ${valid('m')}
  left join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id and ${valid('v')}
  where s.school_id = $1 and s.user_id = any($3::bigint[]) order by s.student_no`

const guardians = `select g.student_user_id, q.user_id, q.user_name, q.mobile, g.relation, g.is_first, g.is_guardian
  from guardian_link g join person q on q.school_id = g.school_id and q.user_id = g.parent_user_id
  where g.school_id = $1 and q.status = 'live' and g.student_user_id = any($3::bigint[]) and ${valid('g')}
  order by g.is_first desc, g.order_no, g.id`

/** Runs one statement with its parameters and answers the rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** Page, total and guardians of the school's roll on a day; `keyword` is part of a name. */
export async function bareList(query: Query, { school_id, on, keyword }: { school_id: number; on: string; keyword?: string }) {
  const of = keyword === undefined ? [school_id, on] : [school_id, on, `%${keyword}%`]
  const chosen = await query(keyword === undefined ? first_of_all : first_named, of)
  const list = await query(details, [school_id, on, chosen.map(row => row.user_id)])
  const [counted] = await query(keyword === undefined ? all : all_named, of)
  const parents = await query(guardians, [school_id, on, list.map(row => row.user_id)])
  return { list, total: counted?.total, parents }
}

/** Statements over a pool, without parsing or checks of ours. */
export function poolQuery(pool: pg.Pool): Query {
  return async (text, values) => (await pool.query(text, [...values])).rows
}
