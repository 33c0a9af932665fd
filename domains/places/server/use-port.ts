import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** One thing that uses a place, as a person would name it: 班牌 3 台, 一年级1班的教室. `way`: what somebody does so that it uses the place no more. */
export type PlaceUseFound = { place_id: string; title: string; way?: string }
/** Why a place is asked about: it is to be closed, to become a place of another kind, or to vanish as if it had never been (then the past counts too). */
export type PlaceAsked = { school_id: number; place_ids: readonly string[]; today: string; change: { to: 'close' | 'forget' } | { to: 'kind'; place_kind: number; private_zone: boolean } }

/** What other domains keep in places: asked before a place goes or becomes something else (chapter 30 rule 21; `place.check_use`). */
export const placeUsePort = new Port<(db: QueryExecutorProvider, asked: PlaceAsked) => Promise<readonly PlaceUseFound[]>>('places.check_use')
