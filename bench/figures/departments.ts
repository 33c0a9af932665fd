import { deptApi, studentApi } from '@campus/people/contract'
import pg from 'pg'
import { mustGet, send } from '../client.ts'
import { atMost, milliseconds, reported, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { poolQuery } from '../query.ts'
import type { Query } from '../query.ts'
import { compare, median, percentile, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { addClasses, dayOf, install, settleStatistics } from '../school.ts'
import type { Installed } from '../school.ts'
import { fillSchool } from '../pupils-sql.ts'

type School = { school_id: number; base: number; grades: number; a_grade: number }

const day_ms = 86_400_000
/** A school of 5,000 departments, and one of 2,000 (20 §9.4). */
const large: School = { school_id: 1001, base: 10_000_000, grades: 50, a_grade: 99 }
const middling: School = { school_id: 1002, base: 20_000_000, grades: 20, a_grade: 99 }
const pupils = 4000
const [tree_path = '', lazy_path = '', list_path = ''] = [deptApi.tree.paths[0], deptApi.lazyTree.paths[0], studentApi.list.paths[0]]

/** Trees of many departments, and the roll of a day long past. */
export const departments: Figure = {
  name: 'departments',
  title: 'Trees of 5,000 departments, and the roll of a past day',
  how: 'Over HTTP on PostgreSQL, 4,000 pupils in each school, each of whom has sat in three classes one after the other. The tree comes whole with its counts; its baseline is the one aggregate over members and paths, sent by a superuser through pg. The roll: 20 rows with total and guardians of a day two years ago against today.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const installed = await install('postgres', bench)
  const { app, settings, admin_url } = installed
  const days = [800, 400, 100].map(ago => dayOf(new Date(app.clock.now().getTime() - ago * day_ms)))
  for (const school of [large, middling]) await fill(installed, school, days)
  await settleStatistics(installed)
  const [of_large, of_middling] = [await app.as({ school_id: large.school_id, codes: 'all', scope: 'all' }), await app.as({ school_id: middling.school_id, codes: 'all', scope: 'all' })]
  const today = dayOf(app.clock.now())
  await app.running.close()
  const pool = new pg.Pool({ connectionString: admin_url ?? '', max: 1 })
  const product = await startProduct(settings)
  const each = bench.quick ? 3 : 8
  const often = (path: string, token: string) => async () => median(await timedEach(each, () => mustGet(`${product.url}${path}`, token)))
  const whole = `${tree_path}?tree=student&with_count=1`
  await often(whole, of_large.token)()
  const opens = await often(whole, of_large.token)()
  const counted = await compare(bench.quick ? 2 : 5, often(whole, of_middling.token), async () => median(await timedEach(each, () => aggregate(poolQuery(pool), middling.school_id, today))))
  const grade = await firstGrade(`${product.url}${lazy_path}`, of_middling.token)
  const levels = await timedEach(bench.quick ? 20 : 100, () => mustGet(`${product.url}${lazy_path}?tree=student&parent_id=${grade}`, of_middling.token))
  const roll = (on: string) => often(`${list_path}?page_index=1&page_size=20&on=${on}`, of_large.token)
  const past = await compare(bench.quick ? 2 : 7, roll(dayOf(new Date(app.clock.now().getTime() - 730 * day_ms))), roll(today))
  await Promise.all([product.stop(), pool.end()])
  return [
    atMost('tree of 5,000 departments with counts', opens, 300, milliseconds),
    atMost('tree of 2,000 departments with counts ÷ one aggregate query', counted.ratio, 4, times, '20-A4'),
    atMost('one level of it, p95', percentile(levels, 0.95), 50, milliseconds, '20-A4'),
    atMost('the roll of a day two years ago ÷ that of today', past.ratio, 1.25, times, '20-A2'),
    reported('tree of 2,000, the aggregate', `${milliseconds(counted.subject_median)}, ${milliseconds(counted.baseline_median)}`),
    reported('roll of a past day, of today', `${milliseconds(past.subject_median)}, ${milliseconds(past.baseline_median)}`),
  ]
}

/** Departments and pupils from the first day on; on each later day everybody goes on to another class. */
async function fill(installed: Installed, { school_id, base, grades, a_grade }: School, [first = '', ...later]: readonly string[]): Promise<void> {
  const classes = await addClasses(installed, school_id, { grades, a_grade }, first)
  await installed.exec(fillSchool({ school_id, base, pupils, guardians: 'one', classes, on: first }))
  for (const [at, day] of later.entries()) {
    await installed.exec(`
begin;
set local app.school_id = '${school_id}';
update dept_member set valid_to = '${day}' where school_id = ${school_id} and valid_to is null and member_kind = 'student';
insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from)
  select ${school_id}, ${base} + i, ('{${classes.join(',')}}'::bigint[])[1 + (i + ${at + 1}) % ${classes.length}], 'student', 4, '${day}' from generate_series(1, ${pupils}) i;
commit;`)
  }
}

function aggregate(query: Query, school_id: number, on: string): Promise<unknown> {
  return query(
    `select a.dept_id, count(distinct m.user_id) from dept_member m
    join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id and v.valid_from <= $2 and (v.valid_to is null or v.valid_to > $2)
    cross join lateral unnest(string_to_array(trim(both '/' from v.node_path), '/')::bigint[]) a(dept_id)
    where m.school_id = $1 and v.school_id = $1 and m.valid_from <= $2 and (m.valid_to is null or m.valid_to > $2) group by a.dept_id`,
    [school_id, on],
  )
}

/** The id of a department that has others below it. */
async function firstGrade(url: string, token: string): Promise<string> {
  const { text } = await send(`${url}?tree=student`, { token })
  const { list } = deptApi.lazyTree.details.reply.parse(Reflect.get(Object(JSON.parse(text)), 'data'))
  const grade = list.find(one => one.has_child)
  if (!grade) throw new Error(`the school has no grade: ${text.slice(0, 300)}`)
  return grade.id
}
