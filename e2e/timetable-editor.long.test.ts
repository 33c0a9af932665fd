import { lessonApi, timetableApi, versionApi } from '@campus/teaching/contract'
import type { Grid } from '@campus/teaching/contract'
import type { Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const days = ['', '星期一', '星期二', '星期三', '星期四', '星期五']
const enough = 3
let browser: JourneyBrowser
let page: Page
let faults: string[]
let token: string
let draft: string
let class_id: string
/** Connections of the page; `cut`: none of them lives on, and no new one. */
const plug: { sockets: WebSocketRoute[]; cut: boolean } = { sockets: [], cut: false }

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
  await page.routeWebSocket(/\/mqtt/, socket => {
    if (plug.cut) return void socket.close()
    socket.connectToServer()
    plug.sockets.push(socket)
  })
  await page.goto(`${url}/IconMenu`)
  token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const { list } = dataOf(timetableApi.list, await send(url, timetableApi.list, {}, { token }))
  draft = list.flatMap(table => table.versions).find(version => version.state === 'draft')?.id ?? ''
  const { groups } = dataOf(lessonApi.targets, await send(url, lessonApi.targets, { view: 'class' }, { token }))
  class_id = groups[0]?.items[0]?.id ?? ''
  await liftOne()
  await page.goto(`${url}/LayoutCourseTerm`)
  await page.locator('[data-ready="timetables"]').waitFor()
})
afterAll(() => browser?.close())

const gridOf = async () => dataOf(versionApi.grid, await send(url, versionApi.grid, { id: draft, view: 'class', target_id: class_id },
  { token }))
const nameOf = (grid: Grid, weekday: number,
  section: number) => `${days[weekday] ?? ''}${grid.lines.find(one => one.section === section)?.name ?? ''}`
/** By how its name begins; courses have brackets in theirs. */
const cell = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name.replaceAll(/[()]/g, '.')} `) })
const at = (grid: Grid, id: string) => grid.lessons.find(one => one.id === id)

/** A lesson of the class lies beside the grid. */
async function liftOne(): Promise<void> {
  const { rev, lessons } = await gridOf()
  const lifted = lessons.findLast(one => one.weekday !== null && one.span === 1 && !one.locked)
  const unplace = { kind: 'unplace' as const, lesson_id: lifted?.id ?? '' }
  expect((await send(url, versionApi.command, { id: draft, rev, commands: [unplace] }, { token })).status).toBe(200)
}

/** Cells in which a lesson may be put. */
async function freeFor(lesson_id: string): Promise<{ weekday: number; section: number }[]> {
  const { list } = dataOf(versionApi.candidates, await send(url, versionApi.candidates, { id: draft, lesson_id }, { token }))
  return list.filter(one => one.verdict === 'free')
}

test('50-A33 50-A35 a lesson is moved by keys alone; with the realtime plug pulled another clerk’s edit appears and no edit is lost',
  async () => {
  const before = await gridOf()
  const [moved, other] = before.lessons.filter(one => one.weekday !== null && one.span === 1 && !one.locked)
  const waiting = before.lessons.find(one => one.weekday === null)
  const [to, room] = await freeFor(moved?.id ?? '')
  await cell(nameOf(before, moved?.weekday ?? 1, moved?.section ?? 1)).waitFor()
  expect(await axeFindings(page, 'main')).toEqual([])

  await cell(nameOf(before, moved?.weekday ?? 1, moved?.section ?? 1)).focus()
  await page.keyboard.press('Enter')
  const goal = cell(nameOf(before, to?.weekday ?? 1, to?.section ?? 1))
  await goal.locator('.timetable-mark').waitFor()
  await goal.focus()
  await page.keyboard.press('Enter')
  await expect.poll(async () => at(await gridOf(), moved?.id ?? '')).toMatchObject({ weekday: to?.weekday, section: to?.section })
  await picture(page, 'timetable-moved')

  plug.cut = true
  for (const socket of plug.sockets) await socket.close()
  const { rev } = await gridOf()
  const place = { kind: 'place' as const, lesson_id: waiting?.id ?? '', weekday: room?.weekday ?? 1, section: room?.section ?? 1 }
  expect((await send(url, versionApi.command, { id: draft, rev, commands: [place] }, { token })).status).toBe(200)
  const brought = cell(`${nameOf(before, place.weekday, place.section)} ${waiting?.course_name ?? ''}`)
  await brought.waitFor()
  await cell(nameOf(before, other?.weekday ?? 1, other?.section ?? 1)).focus()
  await page.keyboard.press('u')
  await expect.poll(async () => at(await gridOf(), other?.id ?? '')?.weekday).toBe(null)
  const after = await gridOf()
  expect(at(after, place.lesson_id)).toMatchObject({ weekday: place.weekday, section: place.section })
  expect(at(after, moved?.id ?? '')).toMatchObject({ weekday: to?.weekday, section: to?.section })

  for (let turn = 0; turn < enough; turn += 1) await send(url, versionApi.undo, { id: draft, rev: (await gridOf()).rev }, { token })
  expect((await gridOf()).lessons).toEqual(before.lessons)
  expect(faults).toEqual([])
})
