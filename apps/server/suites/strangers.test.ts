import type { Call } from '@kit/contract'
import { isWebhook, needOf } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { differingTables, startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp } from '../testing/index.ts'
import { groupCalls } from './groups.ts'
import { buildCalls, makeWorld } from './make-world.ts'
import { restingChecksum } from './resting.ts'
import type { World } from './world.ts'

const calls: Call[] = domains.flatMap(domain => domain.routes).map(route => route.call)

/** Calls whose builder names things of one school: sent with another school's session they must find nothing. A webhook has no session to mix up. */
const with_ids = calls.filter(call => !('open' in call.details) && !isWebhook(call) && namesThings(call))

const needing = calls.filter(call => needOf(call) !== undefined)

/** What is asked by somebody who may not: valid calls, of everything that stands in the other school. */
const forbidden = calls.filter(call => with_ids.includes(call) || needing.includes(call))

/** The last noun of each module: all tables of all schools are compared after it. */
const ends_module: ReadonlySet<string> = new Set([...Map.groupBy(groupCalls(forbidden).map(([noun]) => noun), noun => noun.split('.')[0])].map(([, nouns]) => nouns.at(-1) ?? ''))

/** What names a thing only if it wants to: a new school gets its number by itself. */
const without_ids: ReadonlySet<string> = new Set(['school.school_manage.add'])

/** Everything that the calls name is made in the other school first: what comes after must leave it as it is. */
const building_ms = 1_500_000

let app: TestApp
let home: World
let foreign: World

beforeAll(async () => {
  app = await startTestApp()
  home = await makeWorld(app, test_schools.a)
  foreign = await makeWorld(app, test_schools.b)
  // Nobody has told the planner yet that somebody is there: some of the calls take seconds over fifty people.
  await app.running.database.owner_exec('analyze')
})
afterAll(() => app.close())

describe('what somebody else may not do', () => {
  let built: Awaited<ReturnType<typeof buildCalls>>
  let before: string
  let stranger: string

  beforeAll(async () => {
    built = await buildCalls(forbidden, foreign)
    // What a school has to switch on first: else a call would be refused for that.
    await buildCalls(forbidden.filter(call => /^(cards\.cloud|faces\.batch|devices\.ai_rule)\./.test(call.call)), home)
    stranger = (await app.as({ school_id: test_schools.b, codes: [] })).token
    before = await restingChecksum(app)
  }, building_ms)

  describe.each(groupCalls(forbidden))('%s', (noun, of_noun) => {
    test.each(named(of_noun.filter(call => with_ids.includes(call))))("10-A27 20-A35 %s finds nothing by another school's ids, and says what it says of ids that nobody has", async (_name, call) => {
      const { input, file } = built.get(call.call) ?? {}
      const ask = (asked: unknown) => app.call(call, asked, { token: home.me.token, ...(file ? { file } : {}) })
      const answer = await ask(input)
      expect([403, 404]).toContain(answer.status)
      expect(JSON.stringify(unknownIds(input)) !== JSON.stringify(input)).toBe(!without_ids.has(call.call))
      expect(told(await ask(unknownIds(input)))).toEqual(told(answer))
    })

    test.each(named(of_noun.filter(call => needing.includes(call))))('10-A13 %s answers 无权限查看 to an identity without the code', async (_name, call) => {
      const { input, file } = built.get(call.call) ?? {}
      const answer = await app.call(call, input, { token: stranger, ...(file ? { file } : {}) })
      expect([answer.status, answer.body.msg]).toEqual([403, '无权限查看'])
    })

    test.skipIf(!ends_module.has(noun))(`10-A13 10-A27 20-A35 no call up to ${noun} has changed anything`, async () => {
      expect(differingTables(before, await app.checksum())).toEqual([])
    })
  })
})

function named(of: readonly Call[]): [name: string, call: Call][] {
  return of.map(call => [call.call, call])
}

function told({ status, bytes }: Answer): unknown[] {
  return [status, new TextDecoder().decode(bytes)]
}

/** The same input with ids of the same form that nobody has. */
function unknownIds(input: unknown, key = ''): unknown {
  if (Array.isArray(input)) return input.map(item => unknownIds(item, key))
  if (typeof input === 'object' && input !== null) return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, unknownIds(value, name)]))
  if (!/(^|_)(id|ids|no|nos|key|keys)$/.test(key)) return input
  if (typeof input === 'number') return 999_999
  return typeof input === 'string' ? unknownText(input) : input
}

function unknownText(id: string): string {
  if (/^\d{1,15}$/.test(id)) return '987654321012345'
  if (/^[\da-f]{8}-[\da-f-]{27}$/.test(id)) return '00000000-0000-4000-8000-0000000000ff'
  return id.replaceAll(/\d/g, '9')
}

/** The number of a web site's licence (icp_no) names nothing of ours; a lookup by keys says of each that nobody has it, a day is the same day in every school, a number of a card is one in every school, a figure what a draft would mean; shape and adapter of a login provider are the same words in every school; an address that is signed is its own credential, whoever's session comes with it. */
function namesThings(call: Call): boolean {
  const text = JSON.stringify(call.paths) + Object.keys(shapeOf(call.details.query) ?? {}).join() + Object.keys(shapeOf(call.details.body) ?? {}).join()
  return /:|_id\b|_ids\b|_no\b/.test(text) && !['school.dictionary.all', 'school.info.update', 'jobs.import.template', 'jobs.import.upload', 'identity.provider.update', 'identity.provider.remove', 'messages.channel.save', 'messages.template.save', 'files.upload.save', 'files.file.view', 'devices.photo.fetch', 'devices.camera_shot.bring', 'devices.camera_shot.show', 'devices.file.blob', 'devices.file.screenshot', 'devices.firmware.fetch', 'people.user_delete.due', 'people.password_lookup.byPhone', 'calendar.day.makeUp', 'cards.stock.add', 'cards.stock.range', 'cards.stock.check', 'cards.social.checkAuto', 'cards.social.autoIssue', 'cards.setting.write', 'teaching.course.add', 'publishing.player.file'].includes(call.call) && !call.call.startsWith('people.lookup.')
}

function shapeOf(schema: Call['details']['query']): object | undefined {
  return schema && 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null ? schema.shape : undefined
}
