import type { Insertable } from 'kysely'
import type { IdKeys } from './id-number.ts'
import { sealIdNo } from './id-number.ts'
import { nameIndex } from './name-index.ts'
import type { PeopleTables } from './tables.gen.ts'

/** What may be said of a person; codes of the dictionaries, dates `YYYY-MM-DD`. */
export type PersonDraft = {
  user_name: string
  sex?: string | null
  id_type?: string | null
  id_no?: string | null
  birthday?: string | null
  nation?: string | null
  country?: string | null
  gatqw?: string | null
  political?: string | null
  mobile?: string | null
  email?: string | null
  qq?: string | null
  tel?: string | null
  address?: string | null
  mail_address?: string | null
  home_address?: string | null
  postcode?: string | null
}

/** Where the rows come from: kept with them. `at` defaults to now. */
export type Origin = { by?: string; batch_no?: string; at?: Date }

type PersonRow = Insertable<PeopleTables['person']>

const unknown_sex = '0'

/** The row of a new person: name index made, identity number sealed. */
export function personRow(keys: IdKeys, school_id: number, user_id: string, draft: PersonDraft, origin: Origin): PersonRow {
  const sealed = draft.id_no ? sealIdNo(keys, school_id, draft.id_no) : { id_no_enc: null, id_no_idx: null, id_no_mask: null }
  return {
    school_id,
    user_id,
    user_name: draft.user_name,
    ...nameIndex(draft.user_name),
    sex: draft.sex ?? unknown_sex,
    id_type: draft.id_type ?? null,
    ...sealed,
    birthday: draft.birthday ?? null,
    nation: draft.nation ?? null,
    country: draft.country ?? null,
    gatqw: draft.gatqw ?? null,
    political: draft.political ?? null,
    mobile: draft.mobile ?? null,
    email: draft.email ?? null,
    qq: draft.qq ?? null,
    tel: draft.tel ?? null,
    address: draft.address ?? null,
    mail_address: draft.mail_address ?? null,
    home_address: draft.home_address ?? null,
    postcode: draft.postcode ?? null,
    batch_no: origin.batch_no ?? null,
    created_by: origin.by ?? null,
    updated_by: origin.by ?? null,
  }
}
