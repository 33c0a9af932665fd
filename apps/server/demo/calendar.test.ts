import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCalendar } from '@campus/calendar/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { demoCalendar } from './calendar.ts'

const school_id = test_schools.a
const kinds: Readonly<Record<number, string>> = { 1: 'holiday', 3: 'makeup', 4: 'weekend', 5: 'winter', 6: 'summer', 7: 'holiday', 8: 'school_day', 9: 'school_day', 10: 'school_day' }
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
  const { database } = app.running
  await database.tenant<unknown, void>(school_id, db => createCalendar({ app: app.running.app, db: db.withTables(), school_id, now: app.clock.now() }, demoCalendar()))
})
afterAll(() => app.close())

const rows = <T>(query: ReturnType<typeof sql<T>>) => app.running.database.tenant(school_id, async db => (await query.execute(db)).rows)

test('50-A3 all 396 days of the list have their kind, week and followed weekday in school_day_v of grade 31', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../domains/calendar/server/data/calendar-days-2025-2026.csv'), 'utf8')
  const listed = text.trim().split('\n').slice(1).map(line => line.split(','))
  const stored = await rows(sql<{ date: string; semester_id: number | null; week_no: number | null; day_kind: number; follows_weekday: number | null }>`
    select date::text, semester_id, week_no, day_kind, follows_weekday from school_day_v where school_id = ${school_id} and grade = '31' and date <= '2026-08-31' order by date`)
  expect(stored.map(({ date, semester_id, week_no, day_kind, follows_weekday }) => [date, String(semester_id ?? ''), String(week_no ?? ''), kinds[day_kind], String(follows_weekday ?? '')]))
    .toEqual(listed.map(([date, , semester_id, week_no, day_kind, , follows]) => [date, semester_id, week_no, day_kind, follows]))
  expect(listed.length).toBe(396)
})

test('50-A4 六一 frees the primary school alone; the closure over 高考 removes exactly the lessons of the seniors', async () => {
  const lessons = (date: string) => rows(sql<{ stage: string; lessons: number }>`
    select left(grade, 1) as stage, count(*)::int as lessons from bell_of_day_v where school_id = ${school_id} and date = ${date} and section is not null group by 1 order by 1`)
  expect(await lessons('2026-06-01')).toEqual([{ stage: '2', lessons: 21 }, { stage: '3', lessons: 30 }])
  expect(await lessons('2026-06-08')).toEqual([{ stage: '1', lessons: 36 }, { stage: '2', lessons: 21 }])
})
