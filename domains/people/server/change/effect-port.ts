import type { ChangeKind } from '@campus/people/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { Image } from '../import/image.ts'

/** How one person stands before or after a command; `rows` = the rows of people that the command touched, exactly. */
export type SubjectSide = { dept_id: string | null; state: string | null; rows: Image }
export type EffectSubject = { user_id: string; before: SubjectSide; after: SubjectSide }

/** A command as it is about to be given. `db` is the transaction of the request or of the day-turn; nothing but SQL may be awaited. */
export type EffectPlan = {
  db: QueryExecutorProvider
  app: App
  school_id: number
  now: Date
  kind: ChangeKind
  effective_on: string
  subjects: readonly EffectSubject[]
}
/** A command on its way. `successors` follow leaving staff as heads of classes, `leave_word` is how staff leave (退休); `until` is the end of a suspension; all are told once, when the command is given. */
export type EffectStep = EffectPlan & { command_id: string; reason: string; to_where: string | null; until?: string | null; leave_word?: string; successors?: readonly { dept_id: string; user_id: string }[] }

/** How many things it concerns, with a sentence for the receipt. */
export type EffectCount = { count: number; detail?: string }
/** What was done, and whether somebody else has to do his part yet. */
type EffectTold = EffectCount & { ref?: unknown; waits?: boolean }

/**
 * What follows from a command in one domain (chapter 20 §7, chapter 90 §1 way 3). It is carried out in the command's own transaction.
 * `dated`: it writes rows with days of their own, and does so when the command is given, even for a day to come; every other effect
 * waits for its day. `ref` is what its undo needs, as JSON. `waits`: it is begun, and its domain says by `settleWaiting` when others have done
 * their part; `waiting` is asked meanwhile what for.
 */
export type ChangeEffect = {
  domain: string
  effect_code: string
  title: string
  kinds: readonly ChangeKind[]
  dated: boolean
  undoable: boolean
  preview(plan: EffectPlan): Promise<EffectCount>
  apply(step: EffectStep): Promise<EffectTold>
  undo(step: EffectStep, ref: unknown): Promise<void>
  waiting?(line: Pick<EffectStep, 'db' | 'school_id' | 'now' | 'command_id'> & { kind: string }): Promise<string>
}

/** Filled by every domain that people's comings and goings concern. */
export const changeEffectPort = new Port<ChangeEffect>('people.change_effect')

/** Signs of the sentence of a line, as it is kept. */
export const longest_detail = 200

/** How the line of an effect stands that has just been carried out. */
export function outcomeOf({ count, detail, ref, waits }: EffectTold, now: Date): { state: 'skipped' | 'waiting' | 'done'; detail: string | null; ref: unknown; done_at: Date | null } {
  if (count === 0) return { state: 'skipped', detail: null, ref, done_at: now }
  return { state: waits ? 'waiting' : 'done', detail: detail?.slice(0, longest_detail) ?? null, ref, done_at: waits ? null : now }
}

/** The effects of a kind of command, in the order in which they were registered. */
export function effectsOf(app: App, kind: ChangeKind): ChangeEffect[] {
  return changeEffectPort.all(app).filter(({ kinds }) => kinds.includes(kind))
}
