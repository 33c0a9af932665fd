import type { QueryExecutorProvider } from 'kysely'
import type { Me } from '../http/context.ts'
import { Port } from '../http/port.ts'

/** In whose name words are read: one school, at one moment. */
export type WordContext = { db: QueryExecutorProvider; school_id: number; me: Me; now: Date }

/** Filled by the owner of schools and dictionaries: what sheets say of them. */
export const sheetWordsPort = new Port<{
  schoolName(context: WordContext): Promise<string>
  /** names by code of each of these dictionary types */
  dictionaries(context: WordContext, types: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>
}>('export.sheet_words')

/** Filled by the owner of ids of one kind (`people.dept`): the labels by which people know them. */
export const labelPort = new Port<{ of: string; labels(context: WordContext, ids: readonly string[]): Promise<ReadonlyMap<string, string>> }>('export.label')
