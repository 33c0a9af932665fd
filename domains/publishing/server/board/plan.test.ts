import { content_state, delivery, resolvePlan, shownContents, source, startOf, usual_zones } from '@campus/publishing/contract'
import { addDays, weekdayOf } from '@campus/calendar/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compilePlan, filesOf, itemHash, planHash, windowsOf } from './compile.ts'
import type { BoardFact, ContentFact, DayFact, Facts } from './compile.ts'
import { deliveryState } from './delivery-state.ts'
import type { Wanted, Word } from './delivery-state.ts'

const day = '2026-11-18'
const [hour, minute] = [3_600_000, 60_000]
const at = (clock: string, on = day) => startOf(on) + Number(clock.slice(0, 2)) * hour + Number(clock.slice(3)) * minute
const board: BoardFact = {
  device_id: '7',
  device_name: '一班班牌',
  place_id: '31',
  place_path: '/1/3/31/',
  place_name: '101',
  dept_id: '55',
  dept_path: '/9/55/',
  class_name: '一年级1班',
  grade: '11',
  stage: '1',
  template: { name: '横屏', orientation: 1, zones: usual_zones[1] },
}
const content = (content_id: number, more: Partial<ContentFact> = {}): ContentFact => ({
  content_id: String(content_id),
  title: `内容${content_id}`,
  source_kind: source.text,
  text: '欢迎',
  files: [],
  zone: 'media',
  rule: null,
  priority: 5,
  weight: 1,
  valid_from: at('00:00'),
  valid_to: null,
  offline_ttl_hours: 168,
  urgent: false,
  of_library: false,
  state: content_state.live,
  targets: [{ mode: 1, target: 4, target_id: null, path: null }],
  post: null,
  countdown: null,
  ...more,
})
const lessons = [
  { begin: 480, end: 520, is_lesson: true },
  { begin: 530, end: 570, is_lesson: true },
  { begin: 840, end: 880, is_lesson: true },
]
const days: Record<string, DayFact> = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => addDays('2026-11-16', n)).map(one => {
    // The Saturday of a holiday that is made up for.
    const is_school_day = weekdayOf(one) < 6 || one === '2026-11-21'
    return [one, { is_school_day, bells: is_school_day ? lessons : [] }]
  }),
)
const facts = (contents: ContentFact[]): Facts => ({
  contents,
  days: { '': days },
  lessons: {},
  honours: { '55': ['卫生流动红旗'] },
  meals: {},
  zones: [],
})
const planned = (contents: ContentFact[]) => compilePlan(facts(contents), board, day)
const rule = (more: Partial<NonNullable<ContentFact['rule']>>) => ({
  name: '规则',
  day_kind: 1,
  weekdays: [],
  dayparts: [],
  order_mode: 1,
  item_seconds: 10,
  mute_in_lesson: true,
  enabled: true,
  ...more,
})

const anyContent = fc.record({
  priority: fc.integer({ min: 1, max: 9 }),
  from: fc.integer({ min: 0, max: 200 }),
  hours: fc.option(fc.integer({ min: 1, max: 200 })),
  zone: fc.constantFrom('media', 'full', 'ticker'),
  urgent: fc.boolean(),
  weight: fc.integer({ min: 1, max: 4 }),
  mode: fc.integer({ min: 1, max: 3 }),
  ruled: fc.boolean(),
})
const anyContents = fc.array(anyContent, { maxLength: 8 }).map(all =>
  all.map(({ priority, from, hours, zone, urgent, weight, mode, ruled }, n) =>
    content(n + 1, {
      priority: urgent ? 9 : priority,
      zone: urgent ? 'full' : zone,
      urgent,
      weight,
      valid_from: at('00:00', '2026-11-16') + from * hour,
      valid_to: hours === null ? null : at('00:00', '2026-11-16') + (from + hours) * hour,
      rule: ruled ? rule({ order_mode: mode, dayparts: [{ from: '08:00', to: '20:00' }] }) : null,
    }),
  ),
)

describe('a plan', () => {
  test('60-R33 the same facts give the same hash in whichever order they come; an edit and its revert too', () => {
    fc.assert(
      fc.property(anyContents, all => {
        const hash = planHash(planned(all))
        expect(planHash(planned(all.toReversed()))).toBe(hash)
        const edited = all.map((one, n) => (n === 0 ? { ...one, text: '改动' } : one))
        const is_planned = all.length > 0 && (all[0]?.valid_to ?? Infinity) > at('00:00', '2026-11-16')
        expect(planHash(planned(edited)) !== hash).toBe(is_planned)
        expect(planHash(planned(edited.map((one, n) => (n === 0 ? { ...one, text: '欢迎' } : one))))).toBe(hash)
      }),
    )
  })

  test('60-R32 whatever is shown is valid, of the highest priority of its zone, and an urgent text is over everything until its end', () => {
    fc.assert(
      fc.property(anyContents, fc.integer({ min: 0, max: 420 }), (all, hours) => {
        const now = at('00:00', '2026-11-16') + hours * hour + 17_000
        const plan = planned(all)
        const screen = resolvePlan(plan, now)
        const shown = [screen.urgent, screen.full, screen.ticker, ...screen.zones].flatMap(one => (one?.item ? [one.item] : []))
        const isLive = (item: (typeof plan.items)[number]) =>
          now >= item.from &&
          (item.until === null || now < item.until) &&
          (item.windows === null || item.windows.some(([from, until]) => now >= from && now < until))
        for (const item of shown) {
          expect(isLive(item)).toBe(true)
          expect(item.priority).toBe(
            Math.max(
              ...plan.items.filter(one => one.zone === item.zone && one.urgent === item.urgent && isLive(one)).map(one => one.priority),
            ),
          )
        }
        const urgent = plan.items.filter(item => item.urgent && isLive(item))
        expect(screen.urgent !== null).toBe(urgent.length > 0)
        const seen = [...shownContents(screen)]
        expect(screen.urgent?.item ? seen : []).toEqual(screen.urgent?.item ? [screen.urgent.item.content_id] : [])
        expect(screen.zones.length).toBe(usual_zones[1].length)
      }),
    )
  })

  test('60-R32 contents of one priority take turns, by weight where the rule says so, the same on every look', () => {
    const weighed = rule({ order_mode: 3, item_seconds: 10 })
    const plan = planned([content(1, { rule: weighed, weight: 3 }), content(2, { rule: weighed })])
    const turns = Array.from(
      { length: 8 },
      (_, n) => resolvePlan(plan, at('09:00') + n * 10_000).zones.find(zone => zone.zone === 'media')?.item?.content_id,
    )
    expect(turns.filter(one => one === '1').length).toBe(6)
    expect(turns.slice(0, 4)).toEqual(turns.slice(4))
    const seen = resolvePlan(plan, at('09:00') + 3000).zones.find(zone => zone.zone === 'media')
    expect([seen?.until, seen?.waiting[0]?.why]).toEqual([at('09:00') + 10_000, '同优先级轮播中'])
  })

  test('60-A22 a content that has ended is not seen a moment later; without the server it goes after its hours', () => {
    const plan = planned([content(1, { valid_to: at('10:00'), offline_ttl_hours: 2 })])
    const media = (now: number, contact = now) => resolvePlan(plan, now, contact).zones.find(zone => zone.zone === 'media')
    expect([media(at('09:59'))?.item?.content_id, media(at('10:00'))?.item, media(at('10:00'))?.waiting[0]?.why]).toEqual([
      '1',
      null,
      '已到结束时间',
    ])
    expect([media(at('09:00'), at('07:00'))?.item?.content_id, media(at('09:01'), at('07:00'))?.waiting[0]?.why]).toEqual([
      '1',
      '离线超过2小时，已自动隐藏',
    ])
  })

  test('60-R35 a rule by lessons follows the calendar: a Saturday that is made up for has them, a Sunday has none', () => {
    const span = { from: '2026-11-21', until: '2026-11-23' }
    const of = (section: 'lesson' | 'break' | 'noon' | 'after' | 'before', day_kind = 1) =>
      windowsOf({ day_kind, weekdays: [], dayparts: [{ section }] }, days, span).map(([from, until]) => [
        (from - startOf('2026-11-21')) / minute,
        (until - startOf('2026-11-21')) / minute,
      ])
    expect([of('lesson'), of('break'), of('noon'), of('after'), of('before')]).toEqual([
      [
        [480, 520],
        [530, 570],
        [840, 880],
      ],
      [[520, 530]],
      [[570, 840]],
      [[880, 1320]],
      [[360, 480]],
    ])
    expect(windowsOf({ day_kind: 3, weekdays: [], dayparts: [] }, days, span)).toEqual([[startOf('2026-11-22'), startOf('2026-11-23')]])
  })

  test('of settings of a zone the most specific one holds: board before class, grade, stage and school', () => {
    const of = (zones: Facts['zones']) =>
      compilePlan({ ...facts([]), zones }, board, day).template.zones.find(zone => zone.zone === 'honour')?.module
    const said = (scope: number, scope_id: string, module: string) => ({ scope, scope_id, zone: 'honour', module })
    const school = said(1, '', 'notice')
    expect([
      of([]),
      of([school]),
      of([said(2, '1', 'menu'), school]),
      of([school, said(3, '11', 'text'), said(2, '1', 'menu')]),
      of([said(4, '55', 'clock'), said(3, '11', 'text')]),
      of([said(4, '55', 'clock'), said(5, '7', 'countdown'), school]),
      of([said(3, '12', 'text'), said(5, '8', 'countdown')]),
    ]).toEqual(['honour', 'notice', 'menu', 'text', 'clock', 'countdown', 'honour'])
  })

  test('60-R39 a countdown counts natural days or days of school, and is zero on its day', () => {
    const of = (count_mode: number) => {
      const [item] = planned([
        content(1, { source_kind: source.countdown, countdown: { target_on: '2026-11-23', count_mode, style: 1, done_text: '' } }),
      ]).items
      return item?.body.kind === 'countdown'
        ? [item.body.days['2026-11-19'], item.body.days['2026-11-22'], item.body.days['2026-11-23']]
        : []
    }
    expect([of(1), of(2)]).toEqual([
      [4, 1, 0],
      [3, 1, 0],
    ])
  })

  test('targets take in and leave out: a building without one room, a grade, a place alone', () => {
    const of = (targets: ContentFact['targets']) => planned([content(1, { targets })]).items.length
    const line = (target: number, path: string | null, mode: 1 | 2 = 1, target_id = '31') => ({ mode, target, target_id, path })
    expect([
      of([line(2, '/1/3/')]),
      of([line(2, '/1/3/'), line(1, null, 2)]),
      of([line(3, '/9/')]),
      of([line(3, '/8/')]),
      of([line(1, null)]),
      of([line(1, null, 1, '32')]),
    ]).toEqual([1, 0, 1, 0, 1, 0])
  })
})

describe('60-A23 60-A26 the state of a content is what its board has said', () => {
  const file = { sha256: 'a'.repeat(64), mime: 'image/png', bytes: 900, name: '' }
  const body = planned([content(1, { source_kind: source.files, files: [file] })])
  const newest = { hash: planHash(body), body, compiled_at: 100 }
  const without = { hash: 'other', body: planned([]), compiled_at: 200 }
  const [item] = body.items
  const wanted = (more: Partial<Wanted> = {}): Wanted => ({
    content_id: '1',
    item_hash: item ? itemHash(item) : '',
    sha256s: [file.sha256],
    bytes_total: 900,
    stop_requested_at: null,
    was: delivery.queued,
    ...more,
  })
  const word = (state: string, more: Partial<Word> = {}): Word => ({
    hash: newest.hash,
    state,
    bytes_done: null,
    fault_code: null,
    at: 150,
    ...more,
  })
  const state = (words: [string, Word][], shown: typeof newest | null = null, more: Partial<Wanted> = {}) =>
    deliveryState(wanted(more), { newest, shown, words: new Map(words), at: at('09:00') }).state

  test('queued, loading, ready, playing, a fault, no space', () => {
    expect(filesOf(body.items)).toEqual([file])
    const [plan, key] = ['plan', `file:${file.sha256}`]
    expect([
      state([]),
      state([[plan, word('accepted')]]),
      state([[key, word('downloading', { bytes_done: 400 })]]),
      state([
        [plan, word('staged')],
        [key, word('staged')],
      ]),
      state([[plan, word('playing')]], newest),
      state([
        [plan, word('accepted')],
        [key, word('fault', { fault_code: 'corrupt' })],
      ]),
      state([[key, word('fault', { fault_code: '3' })]]),
      state(
        [
          ['plan', word('playing')],
          [key, word('fault', { fault_code: '1' })],
        ],
        newest,
      ),
    ]).toEqual([1, 2, 2, 3, 4, 6, 5, 6])
    expect(
      deliveryState(wanted(), { newest, shown: newest, words: new Map([[plan, word('playing')]]), at: at('00:00', '2026-11-17') }).state,
    ).toBe(delivery.ready)
  })

  test('a content that was taken down is stopping until the board says that it plays a plan without it, or has put it away', () => {
    const gone = { stop_requested_at: 200 }
    expect([
      state([], null, gone),
      state([['plan', word('playing')]], newest, gone),
      state([['plan', word('playing')]], without, gone),
      state([['plan', word('playing')]], { ...without, compiled_at: 90 }, gone),
      state([['revoke:1', word('erased', { at: 210 })]], newest, gone),
      state([['revoke:1', word('erased', { at: 190 })]], newest, gone),
    ]).toEqual([7, 7, 8, 7, 9, 7])
  })
})
