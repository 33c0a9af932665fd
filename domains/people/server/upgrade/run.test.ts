import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, deptEditApi, memberApi, studentApi, upgradeApi, upgradeRunApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../day.ts'
import { dayOf, stateHash } from '../testing/changer.ts'
import { buildLadder, promoter, rollOf } from '../testing/promoter.ts'
import type { Ladder } from '../testing/promoter.ts'
import { changeEffectPort } from '../change/effect-port.ts'
import { upgradeImpactPort } from './impact-port.ts'

const codes = ['people.upgrade.plan', 'people.upgrade.run', 'people.upgrade.sign', 'people.upgrade.rollback', 'people.dept.view', 'people.dept.edit', 'people.student.view', 'people.change.run', 'people.change.view']
const year = '2026-2027'
let app: TestApp
let school: Ladder
let drafter: TestUser
let signer: TestUser
let own: ReturnType<typeof promoter>
/** graduates of whom a gate was told, and who were asked for there again */
let gated = 0
let regated: string[] = []

beforeAll(async () => {
  app = await startTestApp()
  school = await buildLadder(app, 1001)
  drafter = await app.as({ school_id: 1001, codes })
  signer = await app.as({ school_id: 1001, codes })
  own = promoter(app, drafter, signer)
  changeEffectPort.fill(app.running.app, {
    domain: 'test', effect_code: 'gate', title: '门禁', kinds: ['GRAD'], dated: false, undoable: true,
    preview: async ({ subjects }) => ({ count: subjects.length }),
    apply: async ({ subjects }) => {
      gated += subjects.length
      return { count: subjects.length }
    },
    async undo({ subjects }) {
      regated = subjects.map(subject => subject.user_id)
    },
  })
  upgradeImpactPort.fill(app.running.app, {
    domain: 'test',
    impact: async ({ cohorts }) => [{ title: '条通行规则指向九年级', count: cohorts.filter(cohort => cohort.from_grade === '23' && cohort.dept_type === 3).length, choice: 'stay' as const }],
  })
})
afterAll(() => app.close())

const refusal = ({ status, body }: Answer) => [status, body.error_id]
const dept = (name: string) => school.depts.get(name) ?? ''
const pupil = (name: string, at = 0) => school.pupils.get(name)?.[at] ?? ''
const rows = <R>(query: ReturnType<typeof sql<R>>) => app.running.database.tenant<unknown, R[]>(1001, async db => (await query.execute(db)).rows)
const done = async () => {
  await expect.poll(async () => (await own.current())?.state, { timeout: 20_000, interval: 100 }).toBe('done')
}
const classOf = async (user_id: string) => (await rows(sql<{ dept_name: string; grade: string }>`select dept_name, grade from live_student where user_id = ${user_id}`))[0]

/** Exceptions of every kind: one repeats, one leaves. */
async function withExceptions(id: string, row_version: number): Promise<void> {
  const people = [
    { user_id: pupil('五年级1班'), action: 'REPEAT' as const, target_dept_id: dept('四年级2班'), reason: '家长申请' },
    { user_id: pupil('四年级1班', 1), action: 'OUT' as const, reason: '迁居' },
  ]
  dataOf(upgradeApi.update, await own.update({ id, row_version, people }))
}

test('20-A7 a plan is drawn up, simulated, signed by another person with his password, and stale once a class has changed', async () => {
  const plan = await own.drawn(year, dayOf(app))
  expect(plan.items.filter(item => item.dept_type === 3).map(item => [item.dept_name, item.action, item.to_grade])).toEqual([
    ['四年级', 'UPGRADE', '15'], ['五年级', 'UPGRADE', '16'], ['六年级', 'CONTINUE', '21'], ['九年级', 'GRADUATE', null],
  ])
  expect(refusal(await own.create(year, dayOf(app)))).toEqual([409, 'people.upgradeOpen'])
  const first = await own.simulate(plan.plan_id)
  expect(await own.simulate(plan.plan_id)).toEqual(first)
  expect(first.totals).toMatchObject({ before: 16, after: 12, graduated: 4, continued: 4 })
  expect(first.impact).toEqual([{ domain: 'test', title: '条通行规则指向九年级', count: 1, choice: 'stay' }])
  expect(first.duties.map(duty => duty.user_id)).toEqual([school.head])
  expect(refusal(await own.sign(plan.plan_id, first.plan_hash, drafter))).toEqual([403, 'people.signSame'])
  expect(refusal(await own.sign(plan.plan_id, first.plan_hash, signer, 'not-a-proof'))).toEqual([403, 'people.recheck'])
  expect(refusal(await own.run(plan.plan_id, first.plan_hash))).toEqual([409, 'people.upgradeUnsigned'])
  dataOf(upgradeApi.sign, await own.sign(plan.plan_id, first.plan_hash))
  const file = dataOf(deptEditApi.detail, await app.call(deptEditApi.detail, { school_id: 1001, id: dept('四年级2班') }, { token: drafter.token }))
  dataOf(deptEditApi.update, await app.call(deptEditApi.update, { school_id: 1001, id: file.id, row_version: file.row_version, capacity: 44 }, { token: drafter.token }))
  expect((await own.current())?.is_stale).toBe(true)
  expect(refusal(await own.run(plan.plan_id, first.plan_hash))).toEqual([409, 'people.upgradeStale'])
})

test('a class without a way to go is named and keeps the plan from being signed', async () => {
  const plan = await own.current()
  if (!plan) throw new Error('the plan is gone')
  dataOf(upgradeApi.update, await own.update({ id: plan.plan_id, row_version: plan.row_version, items: [{ dept_id: dept('九年级1班'), action: 'UPGRADE' }] }))
  const { unmapped, plan_hash } = await own.simulate(plan.plan_id)
  expect(unmapped.map(one => [one.name, one.reason])).toEqual([['九年级1班', '与所在年级的去向不一致']])
  expect(refusal(await own.sign(plan.plan_id, plan_hash))).toEqual([422, 'people.upgradeUnmapped'])
  expect(refusal(await own.update({ id: plan.plan_id, row_version: plan.row_version, items: [] }))).toEqual([409, 'people.staleRow'])
  dataOf(upgradeApi.update, await own.update({ id: plan.plan_id, row_version: plan.row_version + 1, items: [{ dept_id: dept('九年级1班'), action: 'GRADUATE' }] }))
})

let before: string[]

test('20-A6 20-A5 no run while pupils are imported; two runs at once are one promotion and answer the same; normal pupils get no row', async () => {
  before = await rollOf(app, 1001)
  const plan = await own.current()
  if (!plan) throw new Error('the plan is gone')
  await withExceptions(plan.plan_id, plan.row_version)
  const plan_hash = await own.signed(plan.plan_id)
  await rows(sql`insert into import_batch (school_id, batch_no, template, file_key, file_name, state, created_by, created_by_name) values (1001, 'B1', 'student', 'k', '学生.xlsx', 'applying', ${drafter.user_id}, '陈晓华')`)
  expect(refusal(await own.run(plan.plan_id, plan_hash))).toEqual([409, 'people.upgradeImporting'])
  await rows(sql`update import_batch set state = 'applied' where school_id = 1001`)
  const [one, two] = await Promise.all([own.run(plan.plan_id, plan_hash), own.run(plan.plan_id, plan_hash)])
  const receipt = dataOf(upgradeRunApi.run, one)
  expect(dataOf(upgradeRunApi.run, two)).toEqual(receipt)
  expect(receipt.totals).toMatchObject({ before: 16, after: 11, graduated: 4, continued: 4, repeated: 1, left: 1 })
  await done()
  const [written] = await rows(sql<{ versions: number; members: number; normal: number }>`
    select (select count(*)::int from dept_version where command_id = ${receipt.command_id}) as versions,
      (select count(*)::int from dept_member where command_id = ${receipt.command_id}) as members,
      (select count(*)::int from dept_member where command_id = ${receipt.command_id} and user_id in (${pupil('四年级1班')}, ${pupil('五年级2班')})) as normal`)
  expect(written).toEqual({ versions: 9, members: 5, normal: 0 })
  expect(await classOf(pupil('四年级1班'))).toEqual({ dept_name: '五年级1班', grade: '15' })
  expect(await classOf(pupil('五年级1班'))).toEqual({ dept_name: '五年级2班', grade: '15' })
  expect((await own.current())?.effects.filter(effect => !['done', 'skipped'].includes(effect.state))).toEqual([])
  expect(refusal(await own.create(year, dayOf(app)))).toEqual([409, 'people.upgradeDone'])
})

test('20-A9 who continues has a class of the next stage, who graduates is gone from live_student', async () => {
  expect(await classOf(pupil('六年级1班'))).toEqual({ dept_name: '七年级1班', grade: '21' })
  const roll = dataOf(studentApi.list, await app.call(studentApi.list, { page_size: 100 }, { token: drafter.token })).list
  expect(roll).toHaveLength(11)
  expect(roll.every(row => row.dept_id !== null)).toBe(true)
  const gone = school.pupils.get('九年级1班') ?? []
  expect(roll.filter(row => gone.includes(row.user_id))).toEqual([])
  const classes = dataOf(upgradeRunApi.graduates, await app.call(upgradeRunApi.graduates, {}, { token: drafter.token }))
  expect(classes.list.map(one => [one.label, one.students, one.graduated])).toEqual([['2021级1班(已毕业)', 2, 0], ['2021级2班(已毕业)', 2, 0], ['2018级1班(已毕业)', 2, 2], ['2018级2班(已毕业)', 2, 2]])
})

test('a line that failed for good is tried again by hand, and with it the promotion is done', async () => {
  expect(gated).toBe(4)
  const [line] = await rows(sql<{ id: string; command_id: string }>`update change_effect set state = 'failed', detail = '执行失败，请联系管理员' where effect_code like '%.gate' returning id::text, command_id::text`)
  await rows(sql`update change_command set state = 'applied' where id = ${line?.command_id}`)
  await rows(sql`update upgrade_plan set state = 'running' where command_id = ${line?.command_id}`)
  const again = dataOf(changeApi.retry, await app.call(changeApi.retry, { id: line?.id ?? '' }, { token: drafter.token }))
  expect([gated, again.state, again.effects.find(effect => effect.id === line?.id)?.state]).toEqual([8, 'settled', 'done'])
  expect((await own.current())?.state).toBe('done')
})

test('20-A8 a rollback brings every live pupil back; a later transfer stops it by name, or alone stays', async () => {
  const plan = await own.current()
  if (!plan) throw new Error('the plan is gone')
  const mover = pupil('四年级2班')
  const moved = await app.call(memberApi.move, { kind: 'CLASS', subjects: [{ user_id: mover, from_dept_id: dept('四年级2班'), to_dept_id: dept('四年级1班') }], effective_on: dayOf(app) }, { token: drafter.token })
  expect(moved.status).toBe(200)
  const blocked = await own.rollback(plan.plan_id)
  expect(refusal(blocked)).toEqual([409, 'people.undoBlocked'])
  expect(JSON.stringify(blocked.body.data)).toContain(mover)
  const back = dataOf(upgradeApi.rollback, await own.rollback(plan.plan_id, true))
  expect(back.skipped.map(one => one.user_id)).toEqual([mover])
  expect(back.plan.state).toBe('rolled_back')
  const after = await rollOf(app, 1001)
  const differs = (roll: readonly string[], other: readonly string[]) => roll.filter(row => !other.includes(row)).map(row => String(JSON.parse(row).user_id))
  expect(differs(before, after)).toEqual([mover])
  expect(differs(after, before)).toEqual([mover])
  expect(regated.toSorted()).toEqual(['九年级1班', '九年级2班'].flatMap(name => school.pupils.get(name) ?? []).toSorted())
})

test('20-A8 20-A9 a promotion of a day to come is true from that midnight with the turn of the day standing still, and rolls back to the byte', async () => {
  const roll = await rollOf(app, 1001)
  const day = dayOf(app, 40)
  const plan = await own.drawn(year, day)
  const plan_hash = await own.signed(plan.plan_id)
  dataOf(upgradeRunApi.run, await own.run(plan.plan_id, plan_hash))
  expect((await own.current())?.state).toBe('running')
  expect(await rollOf(app, 1001)).toEqual(roll)
  const on = (at: string) => app.call(studentApi.list, { on: at, page_size: 100 }, { token: drafter.token })
  const gone = school.pupils.get('九年级1班') ?? []
  const seen = async (at: string) => dataOf(studentApi.list, await on(at)).list.filter(row => gone.includes(row.user_id)).length
  expect([await seen(addDays(day, -1)), await seen(day)]).toEqual([2, 0])
  dataOf(upgradeApi.rollback, await own.rollback(plan.plan_id))
  expect(await rollOf(app, 1001)).toEqual(roll)
  expect(await seen(day)).toBe(2)
})

test('20-A8 a promotion that was carried out to its last line and is rolled back leaves every table of the school as it was, but logs and the plan itself', async () => {
  const before_run = await stateHash(app, 1001)
  const plan = await own.drawn(year, dayOf(app))
  await withExceptions(plan.plan_id, plan.row_version)
  const plan_hash = await own.signed(plan.plan_id)
  dataOf(upgradeRunApi.run, await own.run(plan.plan_id, plan_hash))
  await done()
  const promoted = await stateHash(app, 1001)
  const differing = (state: Record<string, string | null>) => Object.keys(before_run).filter(name => state[name] !== before_run[name]).toSorted()
  expect(differing(promoted)).toEqual(expect.arrayContaining(['dept', 'dept_member', 'dept_version', 'school_user', 'student_span']))
  dataOf(upgradeApi.rollback, await own.rollback(plan.plan_id))
  expect(differing(await stateHash(app, 1001))).toEqual(['upgrade_item', 'upgrade_person', 'upgrade_plan'])
})

test('an enterprise has no promotion', async () => {
  const { token } = await app.as({ school_id: 1003, codes })
  expect((await app.call(upgradeApi.current, {}, { token })).status).toBe(404)
})
