import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A leave as its effects see it: what is in force for whom. A member without spans, and a leave without members, has nothing in force. */
export type LeaveFact = {
  leave_id: string
  fact_version: number
  person_kind: number
  leave_type: string
  reason_code: string
  exit_mode: number
  meal: boolean
  bus: boolean
  pickup_id: string | null
  members: readonly { user_id: string; spans: readonly { no: number; begin_at: Date; end_at: Date }[] }[]
}

/** Where an effect works: one transaction of the school; nothing but SQL may be awaited in it. */
export type EffectContext = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** How far an effect has come: 0 to do, 1 running, 2 done, 3 waits, 4 failed, 5 not needed, 6 cannot be undone. */
export type EffectReceipt = { state: 1 | 2 | 3 | 5 | 6; text: string; count: number }

/**
 * What leaves change in another domain (chapter 70 §7). `converge` brings the domain to what the fact says, however it got there: approval, change, early return and
 * cancellation are the same call with other spans. It is idempotent, and ignores a fact_version below the one it holds.
 */
export type LeaveEffect = {
  /** `gate`, `lesson`, `meal` … */
  code: string
  title: string
  undoable: boolean
  /** what it would do; null: this leave does not concern it */
  preview(context: EffectContext, fact: LeaveFact): Promise<{ text: string; count: number } | null>
  converge(context: EffectContext, fact: LeaveFact): Promise<EffectReceipt>
  /** a sentence why the return cannot be entered yet, e.g. an open case of the school doctor */
  guardReturn?(context: EffectContext, fact: LeaveFact): Promise<string | null>
}

/** Filled by every domain that follows leaves. */
export const leaveEffectPort = new Port<LeaveEffect>('leave.effect')

/** Registers an effect, at start. */
export function registerEffect(app: App, effect: LeaveEffect): void {
  leaveEffectPort.fill(app, effect)
}
