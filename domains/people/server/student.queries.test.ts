import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { studentApi } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, schoolDay } from './day.ts'
import type { Db, PeopleDb } from './db.ts'
import { countPupils, orderedPupils, pagePupils } from './student.queries.ts'
import type { PupilFilter } from './student.queries.ts'
import { enrolStudents } from './student.create.ts'
import { openSchool, pupilsIn } from './testing/changer.ts'

const school_id = 1001
const paged_count = 75
const everybody = { limit: 1000, offset: 0 }
let app: TestApp
let on: string
let class_1: string
let pupils: string[]
/** a class of 75, 45 of them with 雨 in their names */
let paged_class: string

beforeAll(async () => {
  app = await startTestApp()
  on = schoolDay(app.clock.now())
  const school = await openSchool(app, school_id)
  class_1 = school.class_1
  paged_class = school.class_2
  pupils = await pupilsIn(app, school_id, class_1, ['30', '31', '32', '33'])
  await inSchool(async db => {
    const paged = Array.from({ length: paged_count - 1 }, (_, at) => ({ user_name: at % 5 < 3 ? `林小雨${at}` : `林小云${at}`, sex: '1', student_no: `P${String(at).padStart(3, '0')}`, enrol_month: '202609', dept_id: paged_class, from: '2026-09-01' }))
    await enrolStudents(db, app.running.app.secrets, school_id, paged)
    await db.updateTable('person').set({ status: 'purged' }).where('school_id', '=', school_id).where('user_id', '=', pupils[0] ?? '').execute()
    await db.updateTable('dept_member').set({ valid_to: on }).where('school_id', '=', school_id).where('user_id', '=', pupils[1] ?? '').execute()
    await db.updateTable('student_span').set({ state: '02' }).where('school_id', '=', school_id).where('user_id', '=', pupils[2] ?? '').execute()
  })
})

afterAll(() => app.close())

function inSchool<R>(work: (db: Db) => Promise<R>): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, work)
}

/** Pupils the filter lists, of those the test made; every way to read and to count them must agree. */
async function found(filter: Partial<PupilFilter>): Promise<string[]> {
  return inSchool(async db => {
    const asked: PupilFilter = { school_id, on, scope: 'all', ...filter }
    const listed = await orderedPupils(db, asked, 'student_no', everybody)
    expect(await countPupils(db, asked)).toBe(listed.length)
    expect(await orderedPupils(db, asked, 'student_no', { limit: 20, offset: 0 })).toEqual(listed.slice(0, 20))
    expect(await orderedPupils(db, asked, 'student_no', { limit: 20, offset: 2 })).toEqual(listed.slice(2, 22))
    const page = await pagePupils(db, asked, 'student_no', { page_index: 1, page_size: 20 })
    expect([page.total, page.rows.map(row => row.user_id)]).toEqual([listed.length, listed.slice(0, 20)])
    expect(await pagePupils(db, asked, 'student_no', { page_index: 90, page_size: 100 })).toEqual({ rows: [], total: listed.length })
    return ['30', '31', '32', '33'].filter((_, at) => listed.includes(pupils[at] ?? ''))
  })
}

test('20-A2 list and count agree: who is purged, without a class or in another state is in neither', async () => {
  expect(await found({})).toEqual(['33'])
  expect(await found({ sex: '1' })).toEqual(['33'])
  expect(await found({ dept_id: class_1 })).toEqual(['33'])
  expect(await found({ path: '/' })).toEqual(['33'])
  expect(await found({ grade: '11' })).toEqual(['33'])
  expect(await found({ scope: [class_1] })).toEqual(['33'])
  expect(await found({ scope: [] })).toEqual([])
  expect(await found({ state: '02' })).toEqual(['32'])
  expect(await found({ state: '02', dept_id: class_1 })).toEqual(['32'])
  expect(await found({ on: addDays(on, -1) })).toEqual(['31', '33'])
})

test.each([
  ['', 75],
  ['雨', 45],
  ['雪', 0],
])('20-A3 page after page of a search for “%s” shows each of the pupils once, and every page, an empty one too, tells their exact number', async (keyword, expected) => {
  const reader = await app.as({ school_id, codes: ['people.student.view'] })
  const page = async (page_index: number) => dataOf(studentApi.list, await app.call(studentApi.list, { keyword, page_index, page_size: 20, dept_id: paged_class }, { token: reader.token }))
  const pages = [await page(1), await page(2), await page(3), await page(4), await page(5)]
  expect(pages.map(({ total }) => total)).toEqual(pages.map(() => expected))
  const numbers = pages.flatMap(({ list }) => list.map(row => row.student_no))
  expect([numbers.length, new Set(numbers).size, numbers.toSorted()]).toEqual([expected, expected, numbers])
  expect(pages.flatMap(({ list }) => list).every(row => row.user_name.includes(keyword))).toBe(true)
})
