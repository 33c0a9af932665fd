import { controlApi, examSheetApi, presenceApi, resultApi, reviewApi, swapApi } from '@campus/exams/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { entered, published, reason, release, released, reviewed, seated, teacher, tenant } from './exams.ts'
import { recheckOf } from './messages.ts'

/** The caller becomes a parent of a pupil. */
async function adopt(world: World, student_user_id: string): Promise<void> {
  const { school_id, me: { user_id } } = world
  await tenant<unknown, unknown>(world, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, '李可',
      'like', 'lk', '1')
      on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${user_id}) on conflict do nothing`.execute(db)
    return sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from)
      select ${school_id}::int, ${student_user_id}::bigint, ${user_id}::bigint, '51', '2026-09-01'::date
      where not exists (select 1 from guardian_link g where g.school_id = ${school_id} and g.student_user_id = ${student_user_id}
        and g.parent_user_id = ${user_id})
      returning id`.execute(db)
  })
}

/** A published plan where the caller watches a room, with a teacher who could take his place. */
async function watching(world: World) {
  const own = await published(world)
  const { school_id, me } = world
  const to_user_id = await teacher(world)
  const { begin_at, end_at } = own.session
  await tenant<unknown, unknown>(world, db => sql`
    insert into exam_invigilator (school_id, session_id, user_id, exam_id, room_id, role, begin_at, end_at, minutes, source)
    values (${school_id}, ${own.session_id}, ${me.user_id}, ${own.exam_id}, ${own.room_id}, 1, ${begin_at}, ${end_at}, 90,
      'manual') returning user_id`.execute(db))
  return { ...own, to_user_id }
}

/** A swap that waits: of the caller's post, or one that he is asked for. */
async function swapOf(world: World, state: 0 | 1, side: 'from' | 'to'): Promise<string> {
  const { session_id, exam_id, to_user_id } = await watching(world)
  const { school_id, me: { user_id } } = world
  const [from, to] = side === 'from' ? [user_id, to_user_id] : [to_user_id, user_id]
  const { rows } = await tenant<unknown, { rows: { swap_id: string }[] }>(world, db => sql<{ swap_id: string }>`
    insert into exam_swap (school_id, exam_id, session_id, from_user, to_user, state, reason, asked_at)
    values (${school_id}, ${exam_id}, ${session_id}, ${from}, ${to}, ${state}, '临时有课',
      ${world.app.clock.now()}) returning swap_id::text as swap_id`.execute(db))
  return rows[0]?.swap_id ?? ''
}

/** A released exam of which the caller may see the scores of a child. */
async function familyOf(world: World) {
  const own = await reviewed(world)
  dataOf(resultApi.publish, await world.app.call(resultApi.publish, { exam_id: own.exam_id, ...release, audiences: [3],
    recheck_token: await recheckOf(world) }, { token: world.me.token }))
  await adopt(world, own.user_id)
  return own
}

async function reviewAsked(world: World): Promise<string> {
  const { exam_id, paper_id, user_id } = await familyOf(world)
  return dataOf(reviewApi.ask, await world.app.call(reviewApi.ask, { exam_id, paper_id, user_id, reason },
    { token: world.me.token })).review_id
}

/** The days of an exam: control, signing in, swaps, requests for a re-check. */
export const examDayCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ...buildersOf(examSheetApi, {
    plan: async world => ({ input: { exam_id: (await seated(world)).exam_id } }),
    score: async world => { const { exam_id, dept_id } = await entered(world); return { input: { exam_id, dept_id, reason } } },
  }),
  ...buildersOf(controlApi, {
    read: async world => ({ input: { exam_id: (await seated(world)).exam_id } }),
    override: async world => {
      const { session_id, room_id } = await published(world)
      return { input: { session_id, room_id, kind: 'door' as const, reason } }
    },
  }),
  ...buildersOf(presenceApi, {
    read: async world => ({ input: { session_id: (await entered(world)).session_id } }),
    sign: async world => { const { session_id, user_id } = await entered(world); return { input: { session_id, rows: [{ user_id,
      state: 1 as const }] } } },
    confirm: async world => { const { session_id, room_id } = await entered(world); return { input: { session_id, room_id } } },
  }),
  ...buildersOf(swapApi, {
    mine: () => ({ input: {} }),
    fit: async world => ({ input: { session_id: (await watching(world)).session_id } }),
    ask: async world => { const { session_id, to_user_id } = await watching(world); return { input: { session_id, to_user_id, reason } } },
    accept: async world => ({ input: { swap_id: await swapOf(world, 0, 'to'), agreed: true } }),
    withdraw: async world => ({ input: { swap_id: await swapOf(world, 0, 'from') } }),
    page: async world => ({ input: { exam_id: (await seated(world)).exam_id } }),
    decide: async world => ({ input: { swap_id: await swapOf(world, 1, 'from'), agreed: true } }),
  }),
  ...buildersOf(reviewApi, {
    page: async world => ({ input: { exam_id: (await released(world)).exam_id } }),
    ask: async world => { const { exam_id, paper_id, user_id } = await familyOf(world); return { input: { exam_id, paper_id, user_id,
      reason } } },
    answer: async world => ({ input: { review_id: await reviewAsked(world), value: null, answer: '复查无误' } }),
  }),
])
