import { domains } from '@apps/server/domains'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSignedIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { buildPlantedConsole } from './planted-console.ts'
import type { PlantedConsole } from './planted-console.ts'
import { sharedServer } from './server.ts'
import { walk } from './walk.ts'
import type { Walked } from './walk.ts'

const paths = domains.flatMap(domain => domain.facts ?? []).filter(fact => fact.school_types.includes(1)).map(fact => fact.path)
/** A few routes a test, so that one slow page does not use up the time of all. */
const group_size = 6
const groups = Array.from({ length: Math.ceil(paths.length / group_size) }, (_, at) => paths.slice(at * group_size, (at + 1) * group_size))
const group_ms = 300_000
/** A console of its own is built, beside whatever else the machine does. */
const build_ms = 600_000

const server = sharedServer()
let browser: JourneyBrowser
let page: Page
let planted: PlantedConsole

beforeAll(async () => {
  const [opened, built] = await Promise.all([openSignedIn(server.url), buildPlantedConsole()])
  browser = opened.browser
  page = opened.page
  planted = built
}, build_ms)

afterAll(async () => {
  await browser?.close()
  await planted?.remove()
})

test.each(groups)('every route of %s … can be used: rows stay where they are, it sorts and pages, each dialog opens, takes an empty submit and closes', async (...group) => {
  expect(await walk(page, server.url, group)).toEqual(group.map(path => ({ path, faults: [] })))
}, group_ms)

describe('the walk can fail', () => {
  const faulty = [
    ['/PlantedJump', 'ticking a row moves the next one'],
    ['/PlantedJump', 'a row of 1'],
    ['/PlantedTrap', 'cannot be left by Esc'],
    ['/PlantedFalter', '新增, sent empty: 网络异常'],
  ] as const
  let walked: Walked[]
  beforeAll(async () => {
    await planted.showIn(page)
    walked = await walk(page, server.url, [...new Set(faulty.map(([path]) => path))])
  }, group_ms)

  test.each(faulty)('%s is found out: %s', (path, fault) => {
    expect(walked.find(found => found.path === path)?.faults.join('\n')).toContain(fault)
  })
})
