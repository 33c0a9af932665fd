import { semesterApi } from '@campus/calendar/contract'
import { examApi } from '@campus/exams/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0
const day_ms = 86_400_000
const reason = '设备检修改期'

export const tenant = <R>({ app, school_id }: World, act: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) => app.running.database.tenant<unknown, R>(school_id, act)

/** A term of its own year, and days in it. */
async function term({ app, me }: World): Promise<{ semester_id: number; begin_date: string; end_date: string }> {
  made += 1
  const year = 2100 + made
  const wanted = { school_year: `${year}-${year + 1}`, term: '1' as const, name: `考试学期${year}`, begin_date: `${year}-09-01`, end_date: `${year + 1}-01-20` }
  const { semester } = dataOf(semesterApi.add, await app.call(semesterApi.add, wanted, { token: me.token }))
  return { semester_id: semester?.id ?? 0, begin_date: `${year}-11-10`, end_date: `${year}-11-12` }
}

async function examDraft(world: World) {
  const days = await term(world)
  return { ...days, exam_name: `月考${made}`, exam_kind: '13', grades: ['31' as const] }
}

export async function exam(world: World) {
  return dataOf(examApi.add, await world.app.call(examApi.add, await examDraft(world), { token: world.me.token })).row
}

export const paperDraft = (full_score = 150) => ({
  paper_id: null, subject: '13', grade: '31' as const, dept_ids: [], exam_way: '1' as const, full_score, minutes: 90, excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40, assign: 'none' as const, in_total: true,
})

/** An exam with one paper in one session. */
export async function sessioned(world: World) {
  const row = await exam(world)
  const as = { token: world.me.token }
  const plan = dataOf(examApi.savePapers, await world.app.call(examApi.savePapers, { exam_id: row.exam_id, papers: [paperDraft()] }, as))
  const begin = Date.parse(`${row.begin_date}T00:30:00Z`)
  const session = { session_id: null, session_name: '语文', begin_at: new Date(begin).toISOString(), end_at: new Date(begin + day_ms / 12).toISOString(), paper_ids: plan.papers.map(one => one.paper_id) }
  const saved = dataOf(examApi.saveSessions, await world.app.call(examApi.saveSessions, { exam_id: row.exam_id, sessions: [session] }, as))
  return { exam_id: row.exam_id, row: saved.exam, paper_id: plan.papers[0]?.paper_id ?? '', session_id: saved.sessions[0]?.session_id ?? '', session }
}

export const examsCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>(buildersOf(examApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    terms: () => ({ input: {} }),
    read: async world => ({ input: { exam_id: (await exam(world)).exam_id } }),
    add: async world => ({ input: await examDraft(world) }),
    update: async world => {
      const { exam_id, row_version, begin_date, end_date } = await exam(world)
      return { input: { exam_id, row_version, begin_date, end_date, exam_name: `改名${made}`, exam_kind: '13' } }
    },
    remove: async world => ({ input: { exam_id: (await exam(world)).exam_id } }),
    copy: async world => {
      const { exam_id, begin_date } = await exam(world)
      return { input: { exam_id, exam_name: `副本${made}`, begin_date } }
    },
    cancel: async world => ({ input: { exam_id: (await exam(world)).exam_id, reason } }),
    savePapers: async world => ({ input: { exam_id: (await exam(world)).exam_id, papers: [paperDraft()] } }),
    saveSessions: async world => {
      const { exam_id, session, session_id } = await sessioned(world)
      return { input: { exam_id, sessions: [{ ...session, session_id }] } }
    },
    suggest: async world => ({ input: { exam_id: (await sessioned(world)).exam_id } }),
}))
