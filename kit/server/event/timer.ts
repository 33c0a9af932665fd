import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { App } from '../http/context.ts'
import { Port } from '../http/port.ts'

/** Something that is to be done in a school at a time: what (`kind`), about which thing (`ref`). One line a kind, thing and school. */
export type Timer = { kind: string; ref: string; due_at: Date }

/** A timer that has come due, in the transaction that takes it off the list. */
export type DueTimer = { app: App; school_id: number; ref: string; now: Date }

/** What is done when a timer of a kind comes due. */
export type TimerKind = {
  kind: string
  /** Only SQL may be awaited in it. The answer, if any, runs after the commit (mail, devices); until it has ended the line stays, and a process that dies leaves it to another. */
  run(db: Kysely<unknown>, due: DueTimer): Promise<(() => Promise<void>) | void>
  /** seconds before each further attempt; without it two, a minute apart */
  waits?: readonly number[]
}

/** Filled by the owner of the due list: puts a line there in the caller's transaction. */
export const timerPort = new Port<(db: QueryExecutorProvider, due: Timer & { school_id: number }) => Promise<void>>('event.timer')

/** Filled by every domain that sets timers and may not know the owner of the due list. */
export const timerKindPort = new Port<TimerKind>('event.timer_kind')

/** Sets a timer in the caller's transaction; one that already stands there stays as it is. */
export async function setTimer({ app, db, school_id }: { app: App; db: QueryExecutorProvider; school_id: number }, timer: Timer): Promise<void> {
  await timerPort.one(app)(db, { ...timer, school_id })
}
