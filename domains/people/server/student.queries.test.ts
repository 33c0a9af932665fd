import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, schoolDay } from './day.ts'
import type { Db, PeopleDb } from './db.ts'
import { countPupils, orderedPupils } from './student.queries.ts'
import type { PupilFilter } from './student.queries.ts'
import { openSchool, pupilsIn } from './testing/changer.ts'

const school_id = 1001
const everybody = { limit: 1000, offset: 0 }
let app: TestApp
let on: string
let class_1: string
let pupils: string[]

beforeAll(async () => {
  app = await startTestApp()
  on = schoolDay(app.clock.now())
  class_1 = (await openSchool(app, school_id)).class_1
  pupils = await pupilsIn(app, school_id, class_1, ['30', '31', '32', '33'])
  await inSchool(async db => {
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
