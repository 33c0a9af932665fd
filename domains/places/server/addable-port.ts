import type { AddableDevice } from '@campus/places/contract'
import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** A place that could take something: open, nothing below it, in the scope of the reader. */
export type FreePlace = { place_id: string; place_kind: number; node_path_name: string; place_name: string; private_zone: boolean }
/** What is to be put somewhere. `is_whole`: the reader sees all places, and so what stands nowhere. */
export type AddableAsked = { school_id: number; now: Date; purpose: AddableDevice['purpose']; device_type: string | undefined; places: readonly FreePlace[]; is_whole: boolean; codes: ReadonlySet<string> }

/** Who knows what could be put into places (chapter 30 rule 22): devices. */
export const addablePort = new Port<(db: QueryExecutorProvider, asked: AddableAsked) => Promise<AddableDevice>>('places.addable')
