import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { IdKeys } from '../id-number.ts'
import { keyObject } from '../key-object.ts'
import { openText, sealText } from '../seal.ts'

const Kept = z.object({ values: z.record(z.string(), z.string()), mobile: z.string() })
/** What somebody sent in: the texts by field, and the mobile he can be reached under. */
export type KeptValues = z.output<typeof Kept>

const purpose = (school_id: number) => `people.register_entry:${school_id}`

/** Seals what was sent in for this school. */
export function sealValues({ data_key }: Pick<IdKeys, 'data_key'>, school_id: number, kept: KeptValues): Buffer {
  return sealText(data_key, purpose(school_id), JSON.stringify(kept))
}

/** Opens it again. @throws Error when it was made for another school or with another key */
export function openValues({ data_key }: Pick<IdKeys, 'data_key'>, school_id: number, sealed: Buffer): KeptValues {
  return Kept.parse(JSON.parse(openText(data_key, purpose(school_id), sealed)))
}

/** A mobile or an address as it is counted: nobody reads it back. */
export function subjectIdx({ id_index_key }: Pick<IdKeys, 'id_index_key'>, school_id: number, subject: string): Buffer {
  return createHmac('sha256', keyObject(id_index_key)).update(`register:${school_id}:${subject}`).digest()
}
