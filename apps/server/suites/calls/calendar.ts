import { bellApi, currentApi, semesterApi, specialApi } from '@campus/calendar/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

/** Terms are of one year in all schools of a run, so that no school has one of the other's. */
let year = 2040
let past = 2010
let made = 0

function termDraft() {
  year += 1
  return { school_year: `${year}-${year + 1}`, term: '1' as const, name: `测试学期${year}`, begin_date: `${year}-09-02`, end_date: `${year + 1}-01-20` }
}

async function term(world: World) {
  const { semester } = dataOf(semesterApi.add, await world.app.call(semesterApi.add, termDraft(), { token: world.me.token }))
  if (!semester) throw new Error('no term was made')
  return semester
}

/** A day inside a term of its own. */
async function dayDraft(world: World) {
  const { begin_date } = await term(world)
  const date = `${begin_date.slice(0, 4)}-11-11`
  return { begin_date: date, end_date: date, kind: 7, name: '校庆' }
}

async function special(world: World) {
  const made_one = dataOf(specialApi.add, await world.app.call(specialApi.add, await dayDraft(world), { token: world.me.token })).special
  if (!made_one) throw new Error('no special day was made')
  return made_one
}

const sections = () => [{ name: '第一节', section_kind: 2, section: 1, begin: '08:00', end: '08:45' }]
function bellDraft() {
  made += 1
  return { name: `测试作息${made}`, sections: sections() }
}
const bell = async (world: World) => dataOf(bellApi.add, await world.app.call(bellApi.add, bellDraft(), { token: world.me.token })).bell
const span = { from: '2026-09-01', to: '2026-12-31' }

export const calendarCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(semesterApi, {
    list: () => ({ input: {} }),
    add: () => ({ input: termDraft() }),
    update: async world => {
      const { id, name, begin_date, end_date, row_version } = await term(world)
      return { input: { id, name: `${name}改`, begin_date, end_date, row_version } }
    },
    remove: async world => ({ input: { id: (await term(world)).id } }),
    close: async world => {
      past -= 2
      const draft = { school_year: `${past}-${past + 1}`, term: '1' as const, name: '旧学期', begin_date: `${past}-09-01`, end_date: `${past + 1}-01-20` }
      const { semester } = dataOf(semesterApi.add, await world.app.call(semesterApi.add, draft, { token: world.me.token }))
      return { input: { id: semester?.id ?? 0, row_version: 1 } }
    },
    reopen: async world => {
      const { id, row_version } = await term(world)
      return { input: { id, row_version, reason: '补录成绩' } }
    },
  }),
  ...buildersOf(currentApi, { read: () => ({ input: {} }) }),
  ...buildersOf(specialApi, {
    days: () => ({ input: span }),
    list: () => ({ input: span }),
    add: async world => ({ input: { ...(await dayDraft(world)), bell_id: (await bell(world)).id } }),
    update: async world => {
      const { id, begin_date, end_date, kind, row_version } = await special(world)
      return { input: { id, begin_date, end_date, kind, name: '校庆日', row_version } }
    },
    remove: async world => ({ input: { id: (await special(world)).id } }),
    makeUp: async world => {
      const { begin_date } = await term(world)
      const date = `${begin_date.slice(0, 4)}-10-12`
      await world.app.call(specialApi.add, { begin_date: date, end_date: date, kind: 3, name: '调休上班' }, { token: world.me.token })
      return { input: { date, follows_weekday: 3 } }
    },
    national: () => ({ input: { year: 2026, preview: true } }),
    correct: async world => ({ input: { draft: await dayDraft(world), reason: '登记有误' } }),
    feed: () => ({ input: {} }),
    ics: async world => {
      const { path } = dataOf(specialApi.feed, await world.app.call(specialApi.feed, {}, { token: world.me.token }))
      return { input: { token: path.split('token=')[1] ?? '' } }
    },
  }),
  ...buildersOf(bellApi, {
    list: () => ({ input: {} }),
    detail: async world => ({ input: { id: (await bell(world)).id } }),
    add: () => ({ input: bellDraft() }),
    copy: async world => {
      made += 1
      return { input: { bell_id: (await bell(world)).id, name: `复制作息${made}` } }
    },
    update: async world => {
      const { id, name, row_version } = await bell(world)
      return { input: { id, name: `${name}改`, sections: sections(), row_version } }
    },
    remove: async world => ({ input: { id: (await bell(world)).id } }),
    uses: () => ({ input: span }),
    switch: async world => ({ input: { bell_id: (await bell(world)).id, grades: ['31' as const], week_flags: [true, true, true, true, true, false, false], from: '2030-01-01', to: '2030-02-01' } }),
  }),
])
