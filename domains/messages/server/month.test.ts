import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { turnMonths } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { messageMonths } from './months.ts'
import { firstOfMonth, nextTime } from './school-time.ts'

const later = new Date('2041-11-15T00:00:00Z')
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

it('a month begins at midnight at school', () => {
  expect([firstOfMonth(new Date('2026-10-31T15:59:59Z')), firstOfMonth(new Date('2026-10-31T16:00:00Z'))]).toEqual(['2026-10-01', '2026-11-01'])
  expect(nextTime(new Date('2026-11-20T15:10:00Z'), '07:00').toISOString()).toBe('2026-11-20T23:00:00.000Z')
})

test('months of messages are made ahead and go when they are older than a year; one whose rows lie elsewhere is left alone', async () => {
  const { database } = app.running
  await database.tenant(1001, db => sql`insert into message_person (school_id, user_id, message_id, month) values (1001, 1, 1, '2042-03-01')`.execute(db))
  const turned = await turnMonths(database, later, messageMonths(later), 13)
  const persons = turned.made.filter(name => name.startsWith('message_person_'))
  expect([turned.made.length, persons.at(0), persons.at(-1), persons.includes('message_person_204203')]).toEqual([41, 'message_person_204111', 'message_person_204212', false])
  expect(turned.dropped).toEqual(expect.arrayContaining(['message_202610', 'message_person_202701', 'message_delivery_202701']))
  expect(await turnMonths(database, later, messageMonths(later), 13)).toEqual({ made: [], dropped: [], blocked: turned.blocked })
})
