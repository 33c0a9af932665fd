import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { memberApi, studentApi, upgradeRunApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { addDays } from './day.ts'
import { changer, dayOf, pupilsIn } from './testing/changer.ts'
import { buildLadder, promoter } from './testing/promoter.ts'
import type { Ladder } from './testing/promoter.ts'

const codes = ['people.upgrade.plan', 'people.upgrade.run', 'people.upgrade.sign', 'people.student.view', 'people.change.run', 'people.change.view', 'people.change.undo', 'people.dept.view']
const opened = '2026-09-01'
const days_asked = 20

let app: TestApp
let school: Ladder
let clerk: TestUser
let promoted_on: string
let newcomers: string[]

const dept = (name: string) => school.depts.get(name) ?? ''

/** A school year in which pupils come day after day, move, leave, and its last grades move up. */
beforeAll(async () => {
  app = await startTestApp()
  school = await buildLadder(app, 1001)
  clerk = await app.as({ school_id: 1001, codes })
  const own = changer(app, clerk)
  newcomers = []
  for (let at = 0; at < 12; at += 1) newcomers.push(...(await pupilsIn(app, 1001, dept(at % 2 === 0 ? '四年级1班' : '五年级2班'), [`N${at}`], addDays(opened, at * 5))))
  const [a = '', b = '', c = '', d = ''] = newcomers
  await move(a, '四年级1班', '四年级2班', dayOf(app, -20))
  await move(b, '五年级2班', '五年级1班', dayOf(app, -9))
  await own.give({ kind: 'OUT', subjects: [{ user_id: c }], effective_on: dayOf(app, -4), reason: '迁居' })
  promoted_on = dayOf(app)
  const promotion = promoter(app, clerk, await app.as({ school_id: 1001, codes }))
  const plan = await promotion.drawn('2026-2027', promoted_on)
  dataOf(upgradeRunApi.run, await promotion.run(plan.plan_id, await promotion.signed(plan.plan_id)))
  await vi.waitUntil(async () => (await promotion.current())?.state === 'done', { timeout: 20_000, interval: 100 })
  await move(d, '五年级2班', '五年级1班', dayOf(app, 6))
})
afterAll(() => app.close())

async function move(user_id: string, from: string, to: string, effective_on: string): Promise<void> {
  const subjects = [{ user_id, from_dept_id: dept(from), to_dept_id: dept(to) }]
  dataOf(memberApi.move, await app.call(memberApi.move, { kind: 'CLASS', subjects, effective_on }, { token: clerk.token }))
}

async function listed(on: string): Promise<string[]> {
  const { list, total } = dataOf(studentApi.list, await app.call(studentApi.list, { on, page_size: 300 }, { token: clerk.token }))
  expect(total).toBe(list.length)
  return list.map(row => `${row.user_id} ${row.dept_name ?? ''}`).toSorted()
}

/** The same by hand: whoever was in class that day, in the class as it was called that day. */
async function byHand(on: string): Promise<string[]> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { row: string }[] }>(1001, db => sql<{ row: string }>`
    select m.user_id || ' ' || v.dept_name as row
    from dept_member m
    join student_span s on s.school_id = m.school_id and s.user_id = m.user_id and s.valid @> ${on}::date and s.state = '01'
    join dept_version v on v.school_id = m.school_id and v.dept_id = m.dept_id and v.valid @> ${on}::date
    where m.school_id = 1001 and m.member_kind = 'student' and m.valid @> ${on}::date`.execute(db))
  return rows.map(({ row }) => row).toSorted()
}

/** Days between the opening of the school and a month ahead, drawn by a fixed rule. */
function drawnDays(): string[] {
  const first = addDays(opened, -3)
  const span = Math.round((Date.parse(dayOf(app, 30)) - Date.parse(first)) / 86_400_000)
  let seed = 900_001
  return Array.from({ length: days_asked }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return addDays(first, seed % span)
  })
}

test('20-A2 on twenty drawn days the list is what the dated rows say, with the names of that day', async () => {
  const days = drawnDays()
  expect(new Set(days).size).toBeGreaterThan(days_asked / 2)
  const sizes = new Set<number>()
  for (const on of [...days, addDays(promoted_on, -1), promoted_on, dayOf(app, 6)]) {
    const hand = await byHand(on)
    expect({ on, list: await listed(on) }).toEqual({ on, list: hand })
    sizes.add(hand.length)
  }
  expect(sizes.size).toBeGreaterThan(5)
})

test('20-A2 the day before the promotion shows the names of the year before and exactly that day’s roster', async () => {
  const before = await listed(addDays(promoted_on, -1))
  const [fourth = ''] = school.pupils.get('四年级1班') ?? []
  const leavers = school.pupils.get('九年级1班') ?? []
  expect(before).toContain(`${fourth} 四年级1班`)
  expect(before.filter(row => leavers.some(id => row.startsWith(`${id} `)))).toHaveLength(2)
  const after = await listed(promoted_on)
  expect(after).toContain(`${fourth} 五年级1班`)
  expect(after.filter(row => leavers.some(id => row.startsWith(`${id} `)))).toEqual([])
})
