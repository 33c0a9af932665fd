import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { bellApi, currentApi, semesterApi, specialApi } from '@campus/calendar/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerUse } from './use-port.ts'

const { a: school_id } = test_schools
const codes = ['calendar.semester.view', 'calendar.semester.edit', 'calendar.day.view', 'calendar.day.edit', 'calendar.day.correct', 'calendar.bell.view', 'calendar.bell.edit']
const term_1 = { school_year: '2025-2026', term: '1' as const, name: '2025-2026学年第一学期', begin_date: '2025-09-01', end_date: '2026-01-30' }
const seniors = ['31', '32', '33'] as const
const workdays = [true, true, true, true, true, false, false]
let app: TestApp
let me: TestUser

beforeAll(async () => {
  app = await startTestApp()
  goTo('2025-09-05')
  me = await app.as({ school_id, codes })
})
afterAll(() => app.close())

function goTo(day: string): void {
  app.clock.setTo(`${day}T10:00:00+08:00`)
}
const as = () => ({ token: me.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const setDay = (draft: Request<typeof specialApi.add>) => app.call(specialApi.add, draft, as())
const set = async (draft: Request<typeof specialApi.add>) => dataOf(specialApi.add, await setDay(draft))
const dayOf = async (date: string, grade: '31' | '11' | '00' = '31') => dataOf(specialApi.days, await app.call(specialApi.days, { from: date, to: date, grade }, as())).list[0]
const addBell = (name: string, sections: Request<typeof bellApi.add>['sections']) => app.call(bellApi.add, { name, sections }, as())
const part = (name: string, section: number, begin: string, end: string) => ({ name, section_kind: 4, section, begin, end })
const rows = <T>(query: ReturnType<typeof sql<T>>) => app.running.database.tenant(school_id, async db => (await query.execute(db)).rows)

test('a term brings the days of its school year; an overlapping one and a second of the same name are refused; what cannot be is said at the field', async () => {
  const added = dataOf(semesterApi.add, await app.call(semesterApi.add, term_1, as()))
  expect([added.semester, added.effects.dates.length]).toMatchObject([{ id: 20251, weeks: 22, state: 'running', name: term_1.name }, 396])
  expect(refusal(await app.call(semesterApi.add, term_1, as()))).toEqual([409, 'calendar.semesterTaken', '该学年学期已存在，请修改已有学期'])
  expect(refusal(await app.call(semesterApi.add, { ...term_1, term: '2', begin_date: '2026-01-20', end_date: '2026-06-30' }, as()))).toEqual([409, 'calendar.semesterOverlap', `与「${term_1.name}」日期重叠，请调整起止日期`])
  const wrong = await app.call(semesterApi.add, { ...term_1, term: '2', begin_date: '2026-03-02', end_date: '2026-03-04' }, as())
  expect([wrong.status, wrong.body.data]).toMatchObject([400, { errors: [{ field: 'end_date', msg: '学期须为7至210天，现在是3天' }] }])
  expect(dataOf(currentApi.read, await app.call(currentApi.read, {}, as())).current).toMatchObject({ semester_id: 20251, week_no: 1, week_kind: 1, today: { date: '2025-09-05', weekday: 5, day_kind: 8, is_school_day: true } })
})

test('50-A2 a make-up Saturday follows 8 October: weekday and parity of that day stand in school_day; a chain and a weekend are refused', async () => {
  const { lines } = dataOf(specialApi.national, await app.call(specialApi.national, { year: 2025 }, as()))
  expect(lines.find(({ begin_date }) => begin_date === '2025-10-11')).toMatchObject({ kind: 3, verdict: 'new' })
  expect(await dayOf('2025-10-11')).toMatchObject({ day_kind: 3, is_school_day: true, plan_weekday: null, label: '国庆节、中秋节调休上班、未指定补哪天的课' })
  const follow = (asked: Request<typeof specialApi.makeUp>) => app.call(specialApi.makeUp, asked, as())
  const { effects } = dataOf(specialApi.makeUp, await follow({ date: '2025-10-11', follows_date: '2025-10-08' }))
  expect(effects.dates).toEqual(['2025-10-11'])
  const view = sql`select day_kind, follows_weekday, plan_date::text, plan_week_no, week_kind from school_day_v where school_id = ${school_id} and date = '2025-10-11' and grade = '31'`
  expect(await rows(view)).toEqual([{ day_kind: 3, follows_weekday: 3, plan_date: '2025-10-08', plan_week_no: 6, week_kind: 2 }])
  expect(refusal(await follow({ date: '2025-09-28', follows_date: '2025-10-11' }))).toEqual([422, 'calendar.followChain', '不能跟随另一个调休日'])
  expect(refusal(await follow({ date: '2025-09-28', follows_date: '2025-10-04' }))).toEqual([422, 'calendar.followNotSchoolDay', '所跟随的2025-10-04不是教学日，请选择学期内的周一至周五'])
  const again = dataOf(specialApi.national, await app.call(specialApi.national, { year: 2025 }, as()))
  expect(again.lines.map(({ verdict }) => verdict)).not.toContain('new')
  expect(refusal(await app.call(specialApi.national, { year: 2027 }, as()))).toEqual([422, 'calendar.nationalUnknown', '国务院尚未公布或系统未更新，请手工设置'])
})

test('50-A1 the same scope and day twice is refused, by the database too; a preview writes nothing and says what is lost; other domains add what it does to them', async () => {
  registerUse(app.running.app, { in_use: () => Promise.resolve([]), impact: (_db, { dates }) => Promise.resolve([`考勤：${dates.length}天`]) })
  const draft = { begin_date: '2025-10-20', end_date: '2025-10-21', kind: 7, name: '校庆', scope_kind: 'stage' as const, scope_codes: ['3'] }
  const { special, effects } = await set({ ...draft, preview: true })
  expect([special, effects.grades, effects.impacts]).toEqual([null, seniors.map(grade => ({ grade, lost: 2, gained: 0 })), ['考勤：2天']])
  expect(await dayOf('2025-10-20')).toMatchObject({ day_kind: 8 })
  await set(draft)
  expect([await dayOf('2025-10-20'), await dayOf('2025-10-20', '11'), await dayOf('2025-10-20', '00')]).toMatchObject([{ day_kind: 7, label: '校庆' }, { day_kind: 8 }, { day_kind: 8 }])
  expect(refusal(await setDay({ ...draft, begin_date: '2025-10-21', end_date: '2025-10-22' }))).toEqual([422, 'calendar.specialOverlap', '该日期已设置「校庆」，请修改已有设置'])
  const insert = sql`insert into calendar_special (school_id, begin_date, end_date, kind, name, scope_kind, scope_codes, scope_hash, source, updated_at)
    values (${school_id}, '2025-10-21', '2025-10-21', 8, '冲突', 'stage', '{3}', '3', 'school', '2025-10-01T00:00:00Z')`
  await expect(rows(insert)).rejects.toThrow('calendar_special_overlap')
})

test('50-A5 50-A6 a season is switched from a day on: clock times move, days before stay byte-identical; a bell that rings keeps its times', async () => {
  const summer = dataOf(bellApi.add, await addBell('高中夏季作息', [part('第五节', 5, '13:50', '14:35'), part('第六节', 6, '14:35', '15:20')])).bell
  expect(refusal(await addBell('错', [part('第一节', 1, '08:00', '08:45'), part('第二节', 2, '08:44', '09:30')]))).toEqual([409, 'calendar.bellOverlap', '「第一节」与「第二节」时间重叠'])
  expect(refusal(await addBell('错', [part('第一节', 1, '08:45', '08:00')]))).toEqual([422, 'calendar.bellOrder', '结束时间必须晚于开始时间'])
  expect((await addBell('错', [part('第一节', 1, '24:00', '24:30')])).status).toBe(400)
  const turn = async (bell_id: string, from: string, preview = false) => dataOf(bellApi.switch, await app.call(bellApi.switch, { bell_id, grades: [...seniors], week_flags: workdays, from, preview }, as()))
  await turn(summer.id, '2025-09-05')
  const winter = dataOf(bellApi.copy, await app.call(bellApi.copy, { bell_id: summer.id, name: '高中冬季作息' }, as())).bell
  const moved = { id: winter.id, name: winter.name, sections: [part('第五节', 5, '13:25', '14:10'), part('第六节', 6, '14:20', '15:05')] }
  await app.call(bellApi.update, { ...moved, row_version: winter.row_version }, as())
  const before = await rows(sql`select * from school_day where school_id = ${school_id} and date < '2025-10-09' order by date, grade`)
  const { changes } = await turn(winter.id, '2025-10-09', true)
  expect(changes.find(({ grade, section }) => grade === '31' && section === 5)).toEqual({ grade: '31', section: 5, before: { begin: '13:50', end: '14:35' }, after: { begin: '13:25', end: '14:10' } })
  await turn(winter.id, '2025-10-09')
  expect(await rows(sql`select * from school_day where school_id = ${school_id} and date < '2025-10-09' order by date, grade`)).toEqual(before)
  const rings = sql`select date::text, to_char(begin_at at time zone 'Asia/Shanghai', 'HH24:MI') as at from bell_of_day_v where school_id = ${school_id} and grade = '31' and section = 5 and date in ('2025-09-30', '2025-10-09', '2025-10-11') order by date`
  expect(await rows(rings)).toEqual([{ date: '2025-09-30', at: '13:50' }, { date: '2025-10-09', at: '13:25' }, { date: '2025-10-11', at: '13:25' }])
  expect(refusal(await app.call(bellApi.update, { ...moved, sections: [part('第五节', 5, '13:30', '14:10')], row_version: 2 }, as()))).toEqual([409, 'calendar.bellInUse', '作息正在使用，请新建后切换'])
})

test('50-A34 a running term that begins a week later shifts the weeks to come and leaves the past; a day that has been falls out of none', async () => {
  goTo('2025-09-20')
  me = await app.as({ school_id, codes })
  const row = dataOf(semesterApi.list, await app.call(semesterApi.list, {}, as())).list[0]
  const patch = { id: 20251, row_version: row?.row_version ?? 0, name: term_1.name, end_date: term_1.end_date }
  expect(refusal(await app.call(semesterApi.update, { ...patch, begin_date: '2025-09-08' }, as()))).toEqual([422, 'calendar.semesterPast', '开始日期之前已有上课记录，不能改动'])
  const earlier = { ...patch, begin_date: '2025-08-25' }
  const { effects } = dataOf(semesterApi.update, await app.call(semesterApi.update, { ...earlier, preview: true }, as()))
  expect([effects.dates[0], (await dayOf('2025-09-22'))?.week_no]).toEqual(['2025-09-20', 4])
  await app.call(semesterApi.update, earlier, as())
  expect([(await dayOf('2025-09-19'))?.week_no, (await dayOf('2025-09-22'))?.week_no]).toEqual([3, 5])
})

test('days that have passed are put right with a reason only; the subscribed calendar answers to its address alone', async () => {
  const draft = { begin_date: '2025-09-10', end_date: '2025-09-10', kind: 7, name: '台风停课' }
  expect(refusal(await setDay(draft))).toEqual([422, 'calendar.specialPast', '不能改动今天之前的日期，请使用“更正”并填写原因'])
  await app.call(specialApi.correct, { draft, reason: '当天因台风停课' }, as())
  expect(await dayOf('2025-09-10')).toMatchObject({ day_kind: 7, is_school_day: false })
  const { path } = dataOf(specialApi.feed, await app.call(specialApi.feed, {}, as()))
  const text = await (await fetch(`${app.url}${path}`)).text()
  expect(text).toContain('SUMMARY:台风停课（校定假日）')
  expect(text.split('\r\n').every(line => Buffer.byteLength(line) <= 75)).toBe(true)
  expect((await fetch(`${app.url}${path}x`)).status).toBe(404)
})
