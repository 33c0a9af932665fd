import { lessonApi, solveApi, timetableApi, versionApi } from '@campus/teaching/contract'
import type { DayLesson, View } from '@campus/teaching/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../testing/request.ts'
import { ensureDemo } from './index.ts'
import { issueToken } from './issue-token.ts'
import { startDemo } from './testing/start-demo.ts'
import type { DemoServer } from './testing/start-demo.ts'

/** Lessons of a week of 90 home classes and 26 walking ones (chapter 50 §8). */
const [weekly_lessons, home_classes, walking_classes] = [2924, 90, 26] as const
const [home_table, walking_table, shown_conflicts] = [1, 2, 5] as const
const [effective_on, most_seconds, patience_ms] = ['2026-11-23', 600, 900_000] as const
let demo: DemoServer
let url: string
let token: string

beforeAll(async () => {
  demo = await startDemo()
  demo.clock.setTo('2026-11-20T12:00:00+08:00')
  await ensureDemo(demo.running)
  url = await demo.running.http.listen({ host: '127.0.0.1', port: 0 })
  token = await issueToken(demo.running, 'admin01')
}, patience_ms)
afterAll(() => demo.close())

/** Lessons of the week from the day of publication on, of every class, teacher or room. */
async function weeksOf(view: View) {
  const { groups } = dataOf(lessonApi.targets, await send(url, lessonApi.targets, { view }, { token }))
  const found: DayLesson[] = []
  for (const { id } of groups.flatMap(group => group.items)) {
    found.push(...dataOf(lessonApi.week, await send(url, lessonApi.week, { view, target_id: id, from: effective_on }, { token })).lessons)
  }
  return found
}

const idsOf = (lessons: readonly DayLesson[]) => [...new Set(lessons.map(one => one.lesson_day_id))].toSorted()

/** A new version of a timetable is searched with nothing placed, taken, checked and published. @returns the number of its classes */
async function placeFromZero(timetable_id: string): Promise<number> {
  const { version_id: id } = dataOf(versionApi.add, await send(url, versionApi.add, { timetable_id }, { token }))
  const checked = dataOf(solveApi.precheck, await send(url, solveApi.precheck, { id }, { token }))
  expect(checked.faults.filter(fault => fault.severity === 'block')).toEqual([])
  const { run } = dataOf(solveApi.start, await send(url, solveApi.start, { id, seconds: most_seconds }, { token }))
  const latest = async () => dataOf(solveApi.latest, await send(url, solveApi.latest, { id }, { token })).run
  await expect.poll(async () => (await latest())?.curve.at(-1)?.[1], { timeout: patience_ms }).toBe(0)
  await send(url, solveApi.stop, { id: run.id }, { token })
  await expect.poll(async () => (await latest())?.state, { timeout: patience_ms }).toBe('finished')
  const solved = await latest()
  expect(solved).toMatchObject({ hard: 0, unplaced: 0, placed: checked.lessons, reasons: [] })
  expect(dataOf(solveApi.take, await send(url, solveApi.take, { id: run.id, rev: 0 }, { token }))).toMatchObject({ unplaced: 0, left: 0 })
  const { conflicts, blocking } = dataOf(versionApi.check, await send(url, versionApi.check, { id }, { token }))
  expect([blocking, conflicts.filter(one => one.severity === 1).slice(0, shown_conflicts).map(one => one.message)]).toEqual([0, []])
  const published = await send(url, versionApi.publish, { id, effective_on, note: '从零排课' }, { token })
  expect([published.status, published.body.error_id]).toEqual([200, undefined])
  const { published: is_published, unplaced, classes } = dataOf(versionApi.publish, published)
  expect([is_published, unplaced]).toEqual([true, 0])
  return classes
}

test('50-A27 the demo school from zero: the solver places every lesson of both timetables, they are published, all three views show them',
  async () => {
  const placed: number[] = []
  for (const kind of [home_table, walking_table]) {
    const { list } = dataOf(timetableApi.list, await send(url, timetableApi.list, { kind }, { token }))
    for (const { id, versions } of list) if (versions.some(version => version.state === 'running')) placed.push(await placeFromZero(id))
  }
  expect(placed).toEqual([home_classes, walking_classes])
  const [classes, teachers, places] = [await weeksOf('class'), await weeksOf('teacher'), await weeksOf('place')]
  expect(classes).toHaveLength(weekly_lessons)
  expect(idsOf(teachers)).toEqual(idsOf(classes))
  expect(idsOf(places)).toEqual(idsOf(classes))
}, patience_ms)
