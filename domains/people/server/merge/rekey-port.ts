import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** Two files of one human being: `keep_user_id` stays, `drop_user_id` is no more. `db` is the transaction; nothing but SQL may be awaited. */
export type RekeyPair = { db: QueryExecutorProvider; app: App; school_id: number; now: Date; keep_user_id: string; drop_user_id: string }

/** Whose thing stays where both have one: the kept person's or the merged one's. */
export type MergeSideName = 'keep' | 'drop'

/** Something both have that one person can have but once; `code` is unique in the product (`<domain>.<thing>`), the texts say what each has. */
export type RekeyConflict = { code: string; title: string; keep: string; drop: string }
/** How many rows of one kind would move. */
export type RekeyCount = { title: string; count: number }

/** A merge on its way. `chosen`: by the code of each conflict. */
export type RekeyStep = RekeyPair & { merge_id: string; chosen: ReadonlyMap<string, MergeSideName> }

/**
 * A row that a merge touched. `row_key` finds it again; `column_name` is the one that names the person. A row that was cut or changed has its image
 * of `before`, one that was made has `after` alone, one that only changed its owner has neither. Images hold no protected values.
 */
export type MovedRow = { table_name: string; row_key: string; column_name: string; old_user_id: string; before?: unknown; after?: unknown }

/** What an un-merge leaves with the kept person: born since, or changed since. */
export type LeftRow = { title: string; count: number; why: 'born' | 'changed' }

/**
 * How one domain follows two people who turn out to be one (chapter 20 rule 19): it moves its own rows in the merge's transaction, answers which, and
 * takes exactly these back. Every domain of tier 1–3 whose tables name a person registers one (a build check asks for it); `tables` are all of
 * its tables that do, those whose rows stay where they are (`stays`) with the reason.
 */
export type Rekey = {
  domain: string
  title: string
  tables: readonly string[]
  stays: Readonly<Record<string, string>>
  preview(pair: RekeyPair): Promise<{ moves: RekeyCount[]; conflicts: RekeyConflict[] }>
  apply(step: RekeyStep): Promise<MovedRow[]>
  /** `mark`: what `mark` answered when the merge was done */
  undo(step: RekeyPair & { merge_id: string }, rows: readonly MovedRow[], mark: unknown): Promise<LeftRow[]>
  /** how far its tables have got, as JSON, so that an un-merge can tell what was born since */
  mark(pair: RekeyPair): Promise<unknown>
}

/** Filled by every domain whose tables name people. */
export const rekeyPort = new Port<Rekey>('people.rekey')
