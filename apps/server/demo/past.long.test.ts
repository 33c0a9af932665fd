import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demo_schools } from './accounts.ts'
import { ensureDemo } from './index.ts'
import { startDemo } from './testing/start-demo.ts'
import type { DemoServer } from './testing/start-demo.ts'

type Row = Record<string, unknown>

const school_id = demo_schools.main
/** In the second half of a school year: what the demo holds must not depend on the day it was written. */
const today = '2028-03-15'
let demo: DemoServer
beforeAll(async () => {
  demo = await startDemo(today)
  await ensureDemo(demo.running)
})
afterAll(() => demo.close())

function rows(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return demo.running.database.tenant<unknown, Row[]>(school_id, async db => (await query.execute(db)).rows)
}
const holds = (alias: string, day: string) => {
  const [from, to] = [sql.ref(`${alias}.valid_from`), sql.ref(`${alias}.valid_to`)]
  return sql<boolean>`(${from} <= ${day}::date and (${to} is null or ${to} > ${day}::date))`
}
const cohort = (day: string) => rows(sql<Row>`
  select v.dept_id, v.dept_name, v.grade, v.pt_node_path_name from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id
  where d.enrol_year = 2025 and d.class_no = 2 and d.stage = '1' and ${holds('v', day)}`)
const pupilsOn = async (day: string) => {
  const [row] = await rows(sql<Row>`
    select count(*)::int as n from student_span t join dept_member m on m.school_id = t.school_id and m.user_id = t.user_id and m.member_kind = 'student'
    where t.state = '01' and ${holds('t', day)} and ${holds('m', day)}`)
  return row?.n
}

test('the school year is the one that holds the demo day', async () => {
  expect(await rows(sql<Row>`select distinct v.valid_from from dept_version v where v.grade = '11' and v.valid_to is null`)).toEqual([{ valid_from: '2027-09-01' }])
  expect(await rows(sql<Row>`select distinct d.enrol_year from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id where v.grade = '11' and v.valid_to is null`)).toEqual([{ enrol_year: 2027 }])
  expect(await pupilsOn(today)).toBe(3906)
})

describe('the promotion', () => {
  test('gave a class another name and grade, and its path with it, from one day to the next', async () => {
    const [before, after] = [await cohort('2027-08-31'), await cohort('2027-09-01')]
    expect(before).toMatchObject([{ dept_name: '二年级2班', grade: '12', pt_node_path_name: '启明实验学校/小学部/二年级/二年级2班' }])
    expect(after).toMatchObject([{ dept_name: '三年级2班', grade: '13', pt_node_path_name: '启明实验学校/小学部/三年级/三年级2班' }])
    expect(after[0]?.dept_id).toBe(before[0]?.dept_id)
  })

  test.each(['2026-09-01', '2027-06-30', '2027-09-01', today])('on %s every department stands under one that holds, and its path says so', async day => {
    const [tree] = await rows(sql<Row>`
      select count(*)::int as n, count(*) filter (where v.grade is not null and d.dept_type = 4)::int as classes,
        count(*) filter (where v.node_path = p.node_path || v.dept_id || '/' and v.pt_node_path_name = p.pt_node_path_name || '/' || v.dept_name)::int as right
      from dept_version v join dept d on d.school_id = v.school_id and d.id = v.dept_id
      left join dept_version p on p.school_id = v.school_id and p.dept_id = v.parent_id and ${holds('p', day)}
      where ${holds('v', day)} and (d.closed_on is null or d.closed_on > ${day}::date)`)
    expect(tree).toEqual({ n: 193, classes: 90, right: 192 })
  })

  test('moved nobody but those who began another stage', async () => {
    const moved = await rows(sql<Row>`
      select d.stage, count(*)::int as n from dept_member m join dept d on d.school_id = m.school_id and d.id = m.dept_id
      join dept_member n on n.school_id = m.school_id and n.user_id = m.user_id and n.member_kind = 'student' and n.valid_from = m.valid_to
      where m.member_kind = 'student' and m.valid_to = '2027-09-01' group by 1 order by 1`)
    expect(moved).toEqual([{ stage: '1', n: 252 }, { stage: '2', n: 368 }])
  })

  test('let 430 pupils go with their classes', async () => {
    expect(await rows(sql<Row>`select valid_to, count(*)::int as n from student_span where close_kind = 'GRAD' group by 1`)).toEqual([{ valid_to: '2027-08-31', n: 430 }])
    expect(await rows(sql<Row>`select closed_on, count(*)::int as n from dept where closed_on is not null group by 1 order by 1`)).toEqual([
      { closed_on: '2027-08-31', n: 11 },
      { closed_on: '2027-09-01', n: 16 },
    ])
  })
})

describe('who came and went', () => {
  test('nobody is in a class on a day on which he is not on the roll', async () => {
    expect(await rows(sql<Row>`
      select m.user_id from dept_member m where m.member_kind = 'student' and not exists (
        select from student_span t where t.school_id = m.school_id and t.user_id = m.user_id and t.valid_from <= m.valid_from
          and (t.valid_to is null or t.valid_to > m.valid_from or t.close_kind = 'SUSPEND'))`)).toEqual([])
  })

  test('eleven are suspended, two of them too long; six came back; twelve left the staff', async () => {
    const [found] = await rows(sql<Row>`
      select (select count(*)::int from student_span t where t.state = '02' and ${holds('t', today)}) as suspended,
        (select count(*)::int from student_span t where t.state = '02' and t.state_until < ${today}::date) as overdue,
        (select count(*)::int from student_span t where t.open_kind = 'RETURN') as returned,
        (select count(*)::int from student_span t where t.close_kind = 'OUT') as gone,
        (select count(*)::int from staff_span t where t.valid_to is not null) as staff_gone,
        (select count(*)::int from staff_span t where ${holds('t', today)}) as staff`)
    expect(found).toEqual({ suspended: 11, overdue: 2, returned: 6, gone: 43, staff_gone: 12, staff: 320 })
  })

  test('20-§8 fourteen pairs wait for somebody, three merges were done and one of them taken back', async () => {
    expect(await rows(sql<Row>`
      select (select count(*)::int from merge_case where state = 'open') as open, (select count(*)::int from merge_log) as merges,
        (select count(*)::int from merge_log where state = 'reversed') as back, (select count(*)::int from person where status = 'merged') as merged`)).toEqual([{ open: 14, merges: 3, back: 1, merged: 2 }])
  })

  test('6,640 people are guardians of pupils on the roll, nine of them on the staff', async () => {
    const [found] = await rows(sql<Row>`
      with live as (select distinct g.parent_user_id as user_id from guardian_link g join student_span t on t.school_id = g.school_id and t.user_id = g.student_user_id and ${holds('t', today)})
      select count(*)::int as all, count(*) filter (where exists (select from staff s where s.user_id = live.user_id))::int as staff from live`)
    expect(found).toEqual({ all: 6640, staff: 9 })
  })
})

test('commands of the last sixty days stand with their receipts: most settled, one taken back, one with a line that failed, one for next Monday', async () => {
  const commands = await rows(sql<Row>`select kind, state, count(*)::int as n from change_command where school_id = ${school_id} and kind in ('CLASS', 'OUT') group by 1, 2 order by 1, 2`)
  expect(commands).toEqual(expect.arrayContaining([
    { kind: 'CLASS', state: 'scheduled', n: 1 }, { kind: 'CLASS', state: 'settled', n: 8 }, { kind: 'CLASS', state: 'undone', n: 1 }, { kind: 'OUT', state: 'applied', n: 1 },
  ]))
  expect(await rows(sql<Row>`select effect_code, state, detail from change_effect where school_id = ${school_id} and state = 'failed'`)).toEqual([{ effect_code: 'account', state: 'failed', detail: '登录账号暂时不能停用，请稍后重试' }])
  const [scheduled] = await rows(sql<Row>`select effective_on, extract(isodow from effective_on)::int as weekday from change_command where school_id = ${school_id} and state = 'scheduled'`)
  expect(scheduled).toEqual({ effective_on: '2028-03-20', weekday: 1 })
  expect(await pupilsOn(today)).toBe(3906)
})
