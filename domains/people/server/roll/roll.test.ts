import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { studentApi } from '@campus/people/contract'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { parseKeyword, pupilFits } from '../keyword.ts'
import type { SmallSchool } from '../people.builders.ts'
import { recordPupilSteps } from '../student.history.ts'
import { enrolStudents } from '../student.create.ts'
import { countPupils, orderedPupils } from '../student.queries.ts'
import type { PupilFilter } from '../student.queries.ts'
import { openSchool, pupilsIn } from '../testing/changer.ts'
import { differingOf, settleRoll } from './roll.keep.ts'
import { rollPage } from './roll.queries.ts'

const school_id = 1001
let app: TestApp
let school: SmallSchool
let pupils: string[]
let on: string

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  on = schoolDay(app.clock.now())
  pupils = await pupilsIn(app, school_id, school.class_1, ['71', '72', '73'])
})
afterAll(() => app.close())

function inSchool<R>(work: (db: Db) => Promise<R>): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, work)
}

/** Rows, words and counts of the roll as they are. */
async function readRoll(db: Db) {
  const { rows: [roll] } = await sql<{ rows: string; words: string; counts: string }>`
    select (select string_agg(r::text, '|' order by r.user_id) from roll_today r where r.school_id = ${school_id}) as rows,
      (select string_agg(w::text, '|' order by w.user_id, w.way, w.word) from roll_word w where w.school_id = ${school_id}) as words,
      (select string_agg(c::text, '|' order by c.state, c.dept_id) from roll_count c where c.school_id = ${school_id}) as counts`.execute(db)
  return roll
}

const step = fc.record({ who: fc.nat(2), what: fc.constantFrom('rename', 'renumber', 'move', 'suspend', 'return', 'leave', 'merge', 'revive', 'unclass'), days: fc.integer({ min: -3, max: 3 }), text: fc.constantFrom('林雨', '雨雨', 'Ann Lee', '欧阳雨晴') })
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** One write as the product's own commands make it: rows of pupils change in each of the four tables. */
async function carryOut(db: Db, { who, what, days, text }: Step): Promise<void> {
  const user_id = pupils[who] ?? ''
  const day = addDays(on, days)
  const own = sql`school_id = ${school_id} and user_id = ${user_id}`
  if (what === 'rename') await sql`update person set user_name = ${text} where ${own}`.execute(db)
  if (what === 'renumber') await sql`update student set student_no = ${`Z${who}${days}`} where ${own}`.execute(db)
  if (what === 'merge' || what === 'revive') await sql`update person set status = ${what === 'merge' ? 'merged' : 'live'} where ${own}`.execute(db)
  if (what === 'unclass') await sql`delete from dept_member where ${own}`.execute(db)
  if (what === 'move') await sql`update dept_member set dept_id = ${school.class_2} where ${own} and member_kind = 'student'`.execute(db)
  if (what === 'leave') await recordPupilSteps(db, school_id, [{ user_id, on: day, kind: 'OUT', reason: '迁居', to_where: '青岛' }])
  if (what === 'suspend') await recordPupilSteps(db, school_id, [{ user_id, on: day, kind: 'SUSPEND', reason: '病', until: addDays(on, 30) }])
  if (what === 'return') await recordPupilSteps(db, school_id, [{ user_id, on: day, kind: 'RETURN', dept_id: school.class_1 }])
}

test('whatever is written, the roll says at its end what the dated rows say, and what one made anew says', async () => {
  await fc.assert(fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), async transactions => {
    // A step that the constraints refuse leaves no trace, of the roll neither.
    for (const steps of transactions) await inSchool(async db => { for (const one of steps) await carryOut(db, one) }).catch(() => undefined)
    await inSchool(async db => {
      expect(await differingOf(db, school_id, on)).toEqual([])
      const kept = await readRoll(db)
      for (const table of ['roll_today', 'roll_word', 'roll_count', 'roll_day']) await sql`delete from ${sql.table(table)} where school_id = ${school_id}`.execute(db)
      await settleRoll(db, school_id, on)
      expect(await readRoll(db)).toEqual(kept)
    })
  }), { numRuns: 40 })
})

test('on every day that comes the roll of that day is what the dated rows say', async () => {
  for (let days = 0; days <= 4; days += 1) {
    await inSchool(async db => {
      await settleRoll(db, school_id, addDays(on, days))
      expect(await differingOf(db, school_id, addDays(on, days))).toEqual([])
    })
  }
  await inSchool(async db => {
    await sql`update roll_day set day = ${on}::date - 1 where school_id = ${school_id}`.execute(db)
    await settleRoll(db, school_id, on)
  })
})

test('the roll finds whom the dated rows find, by name, part of a name, pinyin, number and mobile, in the same order', async () => {
  const wanted = [['林雨', 'W1'], ['雨雨', 'W2'], ['Ann Lee', 'W3'], ['欧阳雨晴', 'W4'], ['100%', 'W_5'], ['𠮷田', '20260099']]
  await inSchool(db => enrolStudents(db, app.running.app.secrets, school_id, wanted.map(([user_name = '', student_no = '']) => ({ user_name, sex: '1', student_no, enrol_month: '202609', dept_id: school.class_2, from: '2026-09-01', tel: '16900001234' }))))
  const asked = ['雨', '雨雨', '阳雨', '𠮷', 'lin', 'LY', 'ann', 'n L', 'lee', '%', '_', 'W', 'w', 'W_', '2026', '1234', '0001', '16900001234', '16900000001', '王', '无此人']
  const filters: Partial<PupilFilter>[] = [{}, { dept_id: school.class_2 }, { scope: [school.class_1] }, { scope: [] }, { path: '/' }, { grade: '11' }, { stage: '1' }, { state: '02' }]
  await inSchool(async db => {
    for (const text of [undefined, ...asked]) {
      for (const more of filters) {
        const words = parseKeyword(text) ?? undefined
        const filter: PupilFilter = { school_id, on, scope: 'all', ...more, words, keyword: words && pupilFits(words, app.running.app.secrets, school_id, on) }
        const user_ids = await orderedPupils(db, filter, 'student_no', { limit: 3, offset: 0 })
        expect([text, more, await rollPage(db, filter, 'student_no', { page_index: 1, page_size: 3 })]).toEqual([text, more, { user_ids, total: await countPupils(db, filter) }])
      }
    }
    expect(await rollPage(db, { school_id, on: addDays(on, -1), scope: 'all' }, 'student_no', { page_index: 1, page_size: 20 })).toBeNull()
  })
})

test('20-A2 a pupil whose name has changed is found by the new one at once, and no longer by the old', async () => {
  const [id = ''] = await pupilsIn(app, school_id, school.class_2, ['W7'])
  await inSchool(db => sql`update person set user_name = '龘小龘' where school_id = ${school_id} and user_id = ${id}`.execute(db))
  const { token } = await app.as({ school_id, codes: ['people.student.view'] })
  const page = dataOf(studentApi.list, await app.call(studentApi.list, { keyword: '龘', page_index: 1, page_size: 20 }, { token }))
  expect([page.total, page.list.map(row => row.user_id)]).toEqual([1, [id]])
})
