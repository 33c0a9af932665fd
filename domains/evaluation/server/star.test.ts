import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { appealApi, myStarApi, recordApi, starShowApi, starTypeApi } from '@campus/evaluation/contract'
import type { StarTypeDraft } from '@campus/evaluation/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { appealTimer } from './appeal.service.ts'

const { a: school_id } = test_schools
const [day_ms, hour_ms] = [86_400_000, 3_600_000] as const
type PeopleHandle = Parameters<typeof createDepts>[0]
let app: TestApp
let office: TestUser
let teacher: TestUser
let parent: TestUser
let classes: string[]
let pupils: string[]
let dimension: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  office = await app.as({ school_id, codes: 'all', places: 'all' })
  ;[classes, pupils] = await enrol()
  teacher = await app.as({
    school_id,
    codes: ['evaluation.star.view', 'evaluation.star.give', 'evaluation.star.export', 'evaluation.appeal.decide'],
    scope: 'custom',
    scope_ids: [classes[0] ?? ''],
  })
  parent = await app.as({ school_id, codes: [] })
  await adopt(pupils[0] ?? '')
  dimension = dataOf(starTypeApi.add, await app.call(starTypeApi.add, { star_name: '品德之星', star_kind: '1' }, as(office))).id
})
afterAll(() => app.close())

const as = (who: TestUser) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const tenant = <R>(act: (db: PeopleHandle) => Promise<R>) => app.running.database.tenant(school_id, act)
const type = async (more: Partial<StarTypeDraft> = {}) =>
  dataOf(starTypeApi.add, await app.call(starTypeApi.add, { superior_id: dimension, star_name: `指标${(made += 1)}`, ...more }, as(office)))
    .id
const give = (star_type_id: string, subject_ids: string[], more: object = {}, who: TestUser = teacher) =>
  app.call(recordApi.give, { star_type_id, subject_ids, reason: '主动帮助同学', ...more }, as(who))
const recordsOf = async (user_id: string, who: TestUser = office) =>
  dataOf(recordApi.page, await app.call(recordApi.page, { user_id }, as(who))).list
const total = async (user_id: string) => dataOf(recordApi.profile, await app.call(recordApi.profile, { user_id }, as(office))).total_milli
const today = () => new Date(app.clock.now().getTime() + 8 * hour_ms).toISOString().slice(0, 10)

/** Two classes, 60 pupils in the first, 2 in the second. */
async function enrol(): Promise<[string[], string[]]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(
      db,
      school_id,
      [
        { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
        { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
        { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
      ],
      '2026-09-01',
    )
    const drafts = Array.from({ length: 62 }, (_, at) => ({
      user_name: `学生${at}`,
      student_no: `S${String(at).padStart(3, '0')}`,
      sex: '1',
      enrol_month: '202409',
      dept_id: ids.get(at < 60 ? 'class 1' : 'class 2') ?? '',
      from: '2026-09-01',
    }))
    return [[ids.get('class 1') ?? '', ids.get('class 2') ?? ''], await enrolStudents(db, app.running.app.secrets, school_id, drafts)]
  })
}

async function adopt(student_user_id: string): Promise<void> {
  await tenant(async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${parent.user_id},
      '李可', 'like', 'lk', '1')`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id},
      ${student_user_id}, ${parent.user_id}, '51', '2026-09-01')`.execute(db)
  })
}

describe('types', () => {
  test('a name is taken once in its dimension; a negative type must be fair; what was used is only switched off', async () => {
    const id = await type({ star_name: '乐于助人' })
    expect(refusal(await app.call(starTypeApi.add, { superior_id: dimension, star_name: '乐于助人' }, as(office)))).toEqual([
      409,
      'evaluation.typeNameTaken',
      '该名称已存在，请使用其他名称',
    ])
    expect(refusal(await app.call(starTypeApi.add, { superior_id: dimension, star_name: '迟到', sign: -1 }, as(office)))[1]).toBe(
      'evaluation.negativeRule',
    )
    expect(refusal(await app.call(starTypeApi.add, { superior_id: id, star_name: '第三层' }, as(office)))[1]).toBe(
      'evaluation.notIndicator',
    )
    expect((await give(id, pupils.slice(1, 2))).status).toBe(200)
    expect(refusal(await app.call(starTypeApi.remove, { id }, as(office)))).toEqual([
      409,
      'evaluation.typeInUse',
      '该类型已有1条记录，只能停用',
    ])
    const usage = dataOf(starTypeApi.tree, await app.call(starTypeApi.tree, {}, as(office))).list.find(one => one.id === id)?.usage
    expect(usage).toEqual({ n: 1, givers: 1, mean_milli: 1000, top_share: 100 })
  })
})

describe('giving', () => {
  test('55-A29 61 subjects are too many; fifty parallel gives with ten left leave exactly ten; a repetition asks', async () => {
    const id = await type({ giver_week_quota: 10 })
    expect(
      (
        await give(
          id,
          Array.from({ length: 61 }, (_, at) => String(at + 1)),
        )
      ).status,
    ).toBe(400)
    const answers = await Promise.all(pupils.slice(2, 52).map(user_id => give(id, [user_id])))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
    expect([...new Set(answers.filter(answer => answer.status !== 200).map(answer => refusal(answer).join()))]).toEqual([
      '429,evaluation.quota,本周可评次数已用完',
    ])
    const other = await type()
    expect([
      (await give(other, pupils.slice(2, 3))).status,
      refusal(await give(other, pupils.slice(2, 3)))[1],
      (await give(other, pupils.slice(2, 3), { confirm: true })).status,
    ]).toEqual([200, 'evaluation.dup', 200])
    expect((await give(other, pupils.slice(61))).status).toBe(404)
  })

  test('55-A29 a command for forty is undone whole: forty revoked, scores and quotas as before', async () => {
    const id = await type({ giver_week_quota: 40, person_day_max: 1 })
    const before = await total(pupils[5] ?? '')
    const { batch_no, given } = dataOf(recordApi.give, await give(id, pupils.slice(0, 40)))
    expect([given, await total(pupils[5] ?? '')]).toEqual([40, before + 1000])
    expect(refusal(await give(id, pupils.slice(41, 42)))[1]).toBe('evaluation.quota')
    expect(dataOf(recordApi.undo, await app.call(recordApi.undo, { batch_no }, as(teacher)))).toEqual({ revoked: 40 })
    expect(await total(pupils[5] ?? '')).toBe(before)
    expect((await give(id, pupils.slice(0, 1), { confirm: true })).status).toBe(200)
    expect(refusal(await give(id, pupils.slice(0, 1), { confirm: true }))).toEqual([422, 'evaluation.dayMax', '学生0今日该项已达上限'])
    expect(refusal(await give(await type({ givers: [2] }), pupils.slice(0, 1)))).toEqual([403, 'evaluation.giver', '您不能评定该类型'])
    expect(refusal(await give(await type({ evidence: 2 }), pupils.slice(0, 1)))[1]).toBe('evaluation.evidencePhoto')
  })
})

describe('levels', () => {
  const levels = async (id: string) => {
    const profile = dataOf(recordApi.profile, await app.call(recordApi.profile, { user_id: pupils[59] ?? '' }, as(office)))
    const name = dataOf(starTypeApi.tree, await app.call(starTypeApi.tree, {}, as(office))).list.find(one => one.id === id)?.star_name
    return profile.levels.find(one => one.star_name === name)
  }

  test('55 rule 43: silver is reached on a day and stays when its cut is raised; a revoked star takes it with it', async () => {
    const id = await type({ star_name: '热心公益', level_cuts: [2000, 5000] })
    const got = (...reached: number[]) => ({ got: reached.map(level => ({ level, valid_from: today() })) })
    const one = async () => dataOf(recordApi.give, await give(id, pupils.slice(59, 60), { confirm: true })).batch_no
    await one()
    expect(await levels(id)).toMatchObject({ milli: 1000, level: 1, ...got(1) })
    const second = await one()
    expect(await levels(id)).toMatchObject({ milli: 2000, level: 2, ...got(1, 2) })
    const row = dataOf(starTypeApi.tree, await app.call(starTypeApi.tree, {}, as(office))).list.find(each => each.id === id)
    const raised = { star_name: '热心公益', level_cuts: [3000, 5000], row_version: row?.row_version ?? 0 }
    dataOf(starTypeApi.update, await app.call(starTypeApi.update, { id, ...raised }, as(office)))
    expect(await levels(id)).toMatchObject({ milli: 2000, level: 1, ...got(1, 2) })
    dataOf(recordApi.undo, await app.call(recordApi.undo, { batch_no: second }, as(teacher)))
    expect(await levels(id)).toMatchObject({ milli: 1000, level: 1, ...got(1) })
  })
})

describe('what is seen', () => {
  test('55-A31 a negative record stands in no wall, feed, or list of a teacher; unanswered twice, an appeal takes it away', async () => {
    const id = await type({ sign: -1, show_public: false, evidence: 1, decay: 2 })
    const words = '上课玩手机被提醒三次'
    const [pupil = ''] = pupils
    dataOf(recordApi.give, await give(id, [pupil], { reason: words }, office))
    const answers = [
      await app.call(starShowApi.wall, {}, as(teacher)),
      await app.call(starShowApi.wall, { dept_id: classes[0] ?? '' }, as(office)),
      await app.call(recordApi.page, { user_id: pupil }, as(teacher)),
      await app.call(recordApi.profile, { user_id: pupil }, as(teacher)),
    ]
    expect(answers.map(answer => [answer.status, JSON.stringify(answer.body).includes(words)])).toEqual([
      [200, false],
      [200, false],
      [200, false],
      [200, false],
    ])
    const { rows: feed } = await tenant(db => sql`select * from star_feed_v f where f.school_id = ${school_id} and f.milli < 0`.execute(db))
    expect(feed).toEqual([])
    const seen = dataOf(myStarApi.list, await app.call(myStarApi.list, { user_id: pupil }, as(parent))).list.find(
      one => one.reason === words,
    )
    expect(seen).toMatchObject({ milli: -1000, may_appeal: true })
    expect((await app.call(myStarApi.list, { user_id: pupils[1] ?? '' }, as(parent))).status).toBe(404)
    const record_id = seen?.record_id ?? ''
    const { appeal_id } = dataOf(myStarApi.add, await app.call(myStarApi.add, { record_id, text: '当天请了病假' }, as(parent)))
    expect(refusal(await app.call(myStarApi.add, { record_id, text: '再次申诉' }, as(parent)))).toEqual([
      409,
      'evaluation.appealExists',
      '该记录正在申诉中',
    ])
    const stateNow = async () => (await recordsOf(pupil)).find(one => one.record_id === record_id)?.state
    const due = async (step: number, days: number) =>
      app.running.database.tenant<unknown, unknown>(school_id, async db =>
        appealTimer.run(db, {
          app: app.running.app,
          school_id,
          ref: `${appeal_id}:${step}`,
          now: new Date(app.clock.now().getTime() + days * day_ms),
        }),
      )
    expect(await stateNow()).toBe(3)
    await due(1, 4)
    expect(
      dataOf(appealApi.page, await app.call(appealApi.page, {}, as(office))).list.find(one => one.appeal_id === appeal_id),
    ).toMatchObject({ step: 2, state: 0 })
    await due(2, 10)
    expect(await stateNow()).toBe(4)
  })

  test('55-A32 a week settled twice has one hash; a revocation issues it anew; who is not shown leaves no gap', async () => {
    const id = await type()
    const [first = '', second = '', third = ''] = pupils.slice(52, 55)
    for (const [user_id, times] of [
      [first, 3],
      [second, 2],
      [third, 1],
    ] as const)
      dataOf(recordApi.give, await give(id, [user_id], { times }, office))
    const week_later = new Date(app.clock.now().getTime() - 7 * day_ms)
    await tenant(db =>
      sql`update star_record r set record_date = r.record_date - 7, happened_at = ${week_later} where r.school_id = ${school_id}
        and r.star_type_id = ${id}`.execute(db),
    )
    const day = new Date(Date.parse(today()) - 7 * day_ms).toISOString().slice(0, 10)
    const settle = async () => dataOf(starShowApi.settle, await app.call(starShowApi.settle, { kind: '1', day }, as(office)))
    const once = await settle()
    const again = await settle()
    expect([again.hash, again.changed, again.edition]).toEqual([once.hash, false, 1])
    expect(refusal(await app.call(starShowApi.settle, { kind: '1', day: today() }, as(office)))[1]).toBe('evaluation.periodOpen')
    const ranking = async () => dataOf(starShowApi.ranking, await app.call(starShowApi.ranking, { kind: '1' }, as(teacher)))
    expect((await ranking()).list.map(one => [one.rank, one.shown_name, one.milli])).toEqual([
      [1, '学同学', 3000],
      [2, '学同学', 2000],
      [3, '学同学', 1000],
    ])
    await app.call(starShowApi.optOut, { user_id: first, shown: false, reason: '家长要求' }, as(office))
    expect((await ranking()).list.map(one => [one.rank, one.milli])).toEqual([
      [1, 2000],
      [2, 1000],
    ])
    const record_id = (await recordsOf(second))[0]?.record_id ?? ''
    dataOf(recordApi.revoke, await app.call(recordApi.revoke, { record_id, reason: '登记有误' }, as(office)))
    const now = await ranking()
    expect([now.period?.edition, now.period?.state, now.list.map(one => one.milli)]).toEqual([2, 2, [1000]])
  })
})
