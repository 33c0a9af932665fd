import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { PassDb, Work } from '../pass/db.ts'
import { requireReceiver, takePlace } from './receiver.ts'
import { hashOf } from './seal.ts'
import { channels, insertVisit, keepVisitor, planEnd, recordStep, states } from './visit.core.ts'

/** A visit that waits or is over. Times in epoch milliseconds. */
export type PlannedVisit = {
  visitor_name: string; mobile: string; company: string; reason_code: string; reason_text: string; receiver_user_id: string; followers: number; plate: string; place_ids: readonly string[]; booked: number; begin: number; end: number
  state: 'waits' | 'refused' | 'cancelled' | 'left' | 'expired'; refuse_reason?: string
}

const [one_step, by_guard, host_role, both_ways] = [1, 2, 1, 3] as const

/** Writes visits as the demo needs them: no door knows their visitors, and no message is sent. @throws Refusal 404 for a receiver who is no member of staff */
export async function createVisits({ app, db: handle, school_id }: { app: App; db: QueryExecutorProvider; school_id: number }, visits: readonly PlannedVisit[]): Promise<void> {
  const db = asTables<PassDb>(handle)
  for (const visit of visits) await createVisit({ app, db, school_id, now: new Date(visit.booked) }, visit)
}

async function createVisit(work: Work, { receiver_user_id, place_ids, begin, end, state, refuse_reason, ...visit }: PlannedVisit): Promise<void> {
  const { app, db, school_id } = work
  const receiver = await requireReceiver(work, receiver_user_id)
  const wish = { ...visit, receiver, student_id: null, begin_at: new Date(begin), end_at: new Date(end), place_ids, channel: channels.own }
  const visitor_id = await keepVisitor(work, wish, hashOf(app, school_id, 'mobile', visit.mobile))
  const { apply_id } = await insertVisit(work, wish, { visitor_id, audit_mode: one_step })
  for (const place_id of place_ids) await db.insertInto('visitor_apply_place').values({ school_id, apply_id, place_id, direction: both_ways }).execute()
  if (state === 'waits') {
    await takePlace(work, receiver, schoolDay(wish.begin_at))
    await planEnd(work, apply_id, wish.end_at)
    return
  }
  const is_over = state === 'left' ? { arrived_at: wish.begin_at, left_at: wish.end_at, left_basis: by_guard } : {}
  await db.updateTable('visitor_apply').set({ state: states[state], ...is_over, ...(refuse_reason === undefined ? {} : { refuse_reason }) }).where('school_id', '=', school_id).where('apply_id', '=', apply_id).execute()
  if (state === 'left') await db.updateTable('visitor').set({ visit_count: sql<number>`visit_count + 1` }).where('school_id', '=', school_id).where('visitor_id', '=', visitor_id).execute()
  if (state === 'cancelled') return
  const verdict = state === 'refused' ? { verdict: 2, opinion: refuse_reason ?? null } : { opinion: null }
  await recordStep(work, { apply_id }, { step: 1, role: host_role, auditor: receiver_user_id, ...verdict })
}
