import type { PlaceEra } from '@campus/places/contract'
import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { PlaceScope } from './place.scope.ts'

/** Whose past is asked for: a place with the places it lies in (`ids`, itself last), and what the reader may see, in which places (`scope`). */
export type HistoryAsked = { school_id: number; ids: readonly string[]; codes: ReadonlySet<string>; scope: PlaceScope }

/** What other domains know of the past of a place: what stood in it, watched it, was for it (chapter 30 §5, 使用记录). */
export const placeHistoryPort = new Port<(db: QueryExecutorProvider, asked: HistoryAsked) => Promise<readonly PlaceEra[]>>('places.history')
