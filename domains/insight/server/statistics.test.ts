import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { metrics, row_metrics, statisticsApi } from '@campus/insight/contract'
import type { MetricCode, Overview, StatRow } from '@campus/insight/contract'
import { deptEditApi, studentApi, StudentQuery } from '@campus/people/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildTriedSchool } from './testing/school.ts'
import type { TriedSchool } from './testing/school.ts'

const pupil_codes = ['insight.stat.view', 'people.dept.view', 'people.student.view']
const all_codes = [...pupil_codes, 'people.staff.view']

let app: TestApp
let school: TriedSchool
let headmaster: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await buildTriedSchool(app, test_schools.a)
  await buildTriedSchool(app, test_schools.b)
  headmaster = await app.as({ school_id: test_schools.a, codes: 'all' })
})
afterAll(() => app.close())

async function overview({ token }: TestUser): Promise<Overview> {
  return dataOf(statisticsApi.overview, await app.call(statisticsApi.overview, {}, { token }))
}

async function counts(who: TestUser): Promise<Partial<Record<MetricCode, number>>> {
  return Object.fromEntries((await overview(who)).figures.map(({ metric, count }) => [metric, count]))
}

/** How many rows the list behind a link shows: the page of pupils asks with everything below the chosen department. */
async function listed(link: string, { token }: TestUser): Promise<number> {
  const { pathname, searchParams } = new URL(link, app.url)
  if (pathname === '/Organization') return dataOf(deptEditApi.treeByGrade, await app.call(deptEditApi.treeByGrade, {}, { token })).list.flatMap(grade => grade.classes).length
  expect(pathname).toBe('/ParentsRecord')
  const query = StudentQuery.safeParse(Object.fromEntries(searchParams))
  expect(query.success).toBe(true)
  const answer = await app.call(studentApi.list, { ...Object.fromEntries(searchParams), include_sub: '1' }, { token })
  return dataOf(studentApi.list, answer).total
}

async function rows(metric: (typeof row_metrics)[number], { token }: TestUser, dept_id?: string | null): Promise<{ list: StatRow[]; total: number }> {
  return dataOf(statisticsApi.rows, await app.call(statisticsApi.rows, { metric, ...(dept_id === null ? { no_dept: '1' } : { dept_id }) }, { token }))
}

describe('the figures of the morning', () => {
  test('count pupils, those kept on the roll, classes, staff, changes and gaps', async () => {
    expect(await counts(headmaster)).toEqual({
      student_total: 10, student_boys: 5, student_girls: 5, student_boarders: 2, student_suspended: 1, student_stopped: 0, student_reserved: 0,
      staff_total: 2, class_total: 3, class_headless: 1, class_overfull: 1,
      enrolled_week: 1, moved_week: 1, left_week: 1, enrolled_next: 0, moved_next: 1, left_next: 1,
      missing_guardian: 3, missing_id_no: 3, missing_photo: 10,
    })
  })

  test('draw grades with their classes, in order, with the head teacher', async () => {
    const { grades } = await overview(headmaster)
    expect(grades.map(({ dept_name, stage, total, boys, girls }) => [dept_name, stage, total, boys, girls])).toEqual([['一年级', '1', 7, 4, 3], ['二年级', '1', 3, 1, 2]])
    expect(grades.flatMap(grade => grade.classes).map(({ label, total, capacity, head }) => [label, total, capacity, head])).toEqual([
      ['一年级1班', 3, 45, '陈晓华'], ['一年级2班', 4, 3, '周明'], ['二年级1班', 3, null, null],
    ])
  })

  test('say nothing of what the identity may not see', async () => {
    const of_staff = await app.as({ school_id: test_schools.a, codes: ['insight.stat.view', 'people.staff.view'] })
    const seen = await overview(of_staff)
    expect([seen.figures.map(({ metric }) => metric), seen.grades, seen.depts]).toEqual([['staff_total'], [], []])
  })

  test('are refused without their permission', async () => {
    const teacher = await app.as({ school_id: test_schools.a, codes: ['people.dept.view', 'people.student.view'] })
    expect((await app.call(statisticsApi.overview, {}, { token: teacher.token })).status).toBe(403)
    expect((await app.call(statisticsApi.rows, { metric: 'class_headless' }, { token: teacher.token })).status).toBe(403)
  })
})

describe.each<[string, () => Promise<TestUser>]>([
  ['a headmaster', async () => headmaster],
  ['a head of grade', () => app.as({ school_id: test_schools.a, codes: all_codes, scope: 'custom', scope_ids: [school.grade_1] })],
  ['a class teacher', () => app.as({ school_id: test_schools.a, codes: pupil_codes, scope: 'custom', scope_ids: [school.class_1] })],
  ['a keeper of another class', () => app.as({ school_id: test_schools.a, codes: pupil_codes, scope: 'custom', scope_ids: [school.class_3] })],
  ['an identity without a scope', () => app.as({ school_id: test_schools.a, codes: all_codes, scope: 'none' })],
  ['the headmaster of the next school', () => app.as({ school_id: test_schools.b, codes: all_codes })],
])('every number of %s', (_name, sign) => {
  test('is the total of its rows', async () => {
    const who = await sign()
    const seen = await overview(who)
    for (const { metric, count, link } of seen.figures) {
      const opened = link === null ? (await rows(rowMetric(metric), who)).total : await listed(link, who)
      expect([metric, opened]).toEqual([metric, count])
    }
    for (const size of [...seen.grades, ...seen.grades.flatMap(grade => grade.classes)]) {
      expect([size.dept_id, await listed(size.link ?? '', who)]).toEqual([size.dept_id, size.total])
    }
  })
})

test('a class teacher counts the own class alone, and both ends of a change of class', async () => {
  const head = await app.as({ school_id: test_schools.a, codes: pupil_codes, scope: 'custom', scope_ids: [school.class_1] })
  expect(await counts(head)).toMatchObject({ student_total: 3, class_total: 1, class_headless: 0, enrolled_week: 1, moved_week: 1, moved_next: 1, left_week: 0, student_suspended: 0 })
  expect(await counts(head)).not.toHaveProperty('staff_total')
  expect((await overview(head)).grades.map(({ dept_name, total }) => [dept_name, total])).toEqual([['一年级', 3]])
})

describe('the rows behind a figure', () => {
  test('name the pupil, the classes and the day of a change', async () => {
    const [moved] = (await rows('moved_week', headmaster)).list
    expect([moved?.title, moved?.detail]).toEqual(['学生11', '一年级1班 → 一年级2班'])
    const [gone] = (await rows('left_week', headmaster)).list
    expect([gone?.title, gone?.detail, gone?.at]).toEqual(['学生31', '二年级1班', school.today])
  })

  test('say which class has no head teacher, and open its pupils', async () => {
    expect((await rows('class_headless', headmaster)).list).toEqual([
      { key: school.class_3, title: '二年级1班', detail: '3人　未设班主任', at: null, link: `/ParentsRecord?dept_id=${school.class_3}` },
    ])
  })

  test('say which class is over its limit', async () => {
    expect((await rows('class_overfull', headmaster)).list.map(({ title, detail }) => [title, detail])).toEqual([['一年级2班', '4人，上限3人　班主任 周明']])
  })

  test('come in pages', async () => {
    const answer = await app.call(statisticsApi.rows, { metric: 'class_headless', page_index: 2, page_size: 20 }, { token: headmaster.token })
    expect(dataOf(statisticsApi.rows, answer)).toEqual({ list: [], total: 1 })
  })

  test('need the permission of the figure', async () => {
    const keeper = await app.as({ school_id: test_schools.a, codes: ['insight.stat.view', 'people.staff.view'] })
    expect((await app.call(statisticsApi.rows, { metric: 'moved_week' }, { token: keeper.token })).status).toBe(403)
  })
})

test('an enterprise counts its employees by department and has no pupils', async () => {
  const school_id = test_schools.enterprise
  const { app: running, database } = app.running
  await database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, ['行政部', '研发部'].map(name => ({ key: name, parent: root.id, dept_name: name, dept_type: 11, tree: 'staff' as const })), '2026-09-01')
    const hired = ['行政部', '研发部', '研发部', null].map((dept, at) => ({
      user_name: `员工${at}`, sex: '1', teacher_no: `E${at}`, kind: '11', join_month: '202609', from: '2026-09-01', depts: dept === null ? [] : [{ dept_id: ids.get(dept) ?? '' }],
    }))
    await hireStaff(db, running.secrets, school_id, hired)
  })
  const manager = await app.as({ school_id, codes: 'all' })
  const { figures, grades, depts } = await overview(manager)
  expect([figures.map(({ metric, count }) => [metric, count]), grades]).toEqual([[['staff_total', 4]], []])
  expect(depts.map(({ label, total }) => [label, total])).toEqual([['研发部', 2], ['行政部', 1], ['未分配部门', 1]])
  for (const { dept_id, total } of depts) expect((await rows('staff_total', manager, dept_id)).total).toBe(total)
})

function rowMetric(metric: MetricCode): (typeof row_metrics)[number] {
  const found = row_metrics.find(one => one === metric)
  if (!found) throw new Error(`${metrics[metric].title} opens nothing`)
  return found
}
