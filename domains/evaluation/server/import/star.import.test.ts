import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { recordApi, starTypeApi } from '@campus/evaluation/contract'
import { importApi } from '@campus/jobs/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const labels = ['日期', '学号或班级', '姓名', '类型全名', '次数', '理由', '评价人工号']
type PeopleHandle = Parameters<typeof createDepts>[0]
let app: TestApp
let me: TestUser
let today: string

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  today = new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  await fill()
  const superior_id = dataOf(starTypeApi.add, await app.call(starTypeApi.add, { star_name: '品德之星' }, as())).id
  await app.call(starTypeApi.add, { superior_id, star_name: '乐于助人', person_day_max: 3 }, as())
  await app.call(starTypeApi.add, { superior_id, star_name: '升旗手', givers: [2] }, as())
})
afterAll(() => app.close())

const as = () => ({ token: me.token })

/** A class with two pupils; the caller is a teacher of the school. */
async function fill(): Promise<void> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const grade = { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }
    const ids = await createDepts(
      db,
      school_id,
      [grade, { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }],
      '2026-09-01',
    )
    const pupil = { sex: '1', enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01' }
    const drafts = ['王子涵', '李可'].map((user_name, at) => ({ ...pupil, user_name, student_no: `S00${at}` }))
    await enrolStudents(db, app.running.app.secrets, school_id, drafts)
    const { user_id } = me
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, '老师',
      'laoshi', 'ls', '1')`.execute(
      db,
    )
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${user_id}, 'T001', '11',
      '202609')`.execute(
      db,
    )
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${user_id}, '11',
      '2026-09-01', 'IN')`.execute(
      db,
    )
  })
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  const working = async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state)
  await expect.poll(working, { timeout: 60_000 }).toBe(false)
}

async function upload(samples: string[][]): Promise<string> {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '评星记录', notes: ['说明'], columns, samples }))
  const file = { name: '评星.xlsx', body }
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'star_record' }, { ...as(), file }))
  await settled(batch_no)
  return batch_no
}

const records = async () => dataOf(recordApi.page, await app.call(recordApi.page, {}, as())).list

test('a sheet gives stars, says of every wrong line what is wrong, and is taken back', async () => {
  const line = (no: string, name: string, type: string, times: string, by = 'T001') => [today, no, name, type, times, '主动帮助同学', by]
  const bad = [
    line('S000', '王子涵', '品德之星/不存在', '1'),
    line('S009', '王子涵', '品德之星/乐于助人', '1'),
    line('S000', '王小涵', '品德之星/乐于助人', '1'),
    line('S001', '李可', '品德之星/乐于助人', '4'),
    line('S001', '李可', '品德之星/升旗手', '1'),
    line('S001', '', '品德之星/乐于助人', '11', 'T009'),
  ]
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await upload(bad) }, as()))
  const said = ['类型不存在', '学生不存在，请填写学号', '姓名与编号不一致', '今日该项已达上限', '评价人不能评定该类型', '次数应为1到10']
  expect(list.map(row => row.errors.map(error => error.msg).join())).toEqual(said)
  const batch_no = await upload([line('S000', '王子涵', '品德之星/乐于助人', '2'), line('S001', '', '品德之星/乐于助人', '')])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  const given = await records()
  expect(given.map(one => [one.subject_name, one.milli, one.source, one.state]).toSorted()).toEqual([
    ['李可', 1000, 4, 1],
    ['王子涵', 2000, 4, 1],
  ])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  expect((await records()).map(one => one.state)).toEqual([4, 4])
})
