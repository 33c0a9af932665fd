import { maskMobile } from '@kit/contract/checks'
import { insertRows } from '../bulk.ts'
import type { Db } from '../db.ts'
import type { IdKeys } from '../id-number.ts'
import { sealValues, subjectIdx } from './values.ts'

/** An entry as a school is made with it. */
export type NewEntry = { apply_no: string; is_new: boolean; mobile: string; values: Record<string, string>; created_at: Date }
/** Open for pupils until a moment, closed for staff with a message. */
export type NewRegister = { register_key: string; end_time: Date; teacher_register_msg: string; entries: readonly NewEntry[] }

/** Makes the forms of a school and entries for pupils that wait, without a word in the journal: for schools that are made whole. */
export async function createRegister(db: Db, keys: IdKeys, school_id: number, { register_key, end_time, teacher_register_msg, entries }: NewRegister): Promise<void> {
  await insertRows(db, 'open_register', [{ school_id, register_key, is_register: true, open_register_end_time: end_time, teacher_register_msg }])
  await insertRows(db, 'register_entry', entries.map(({ values, mobile, ...entry }) => ({
    ...entry, school_id, field_scene: 1, user_name: values.user_name ?? '', mobile_mask: maskMobile(mobile), values_enc: sealValues(keys, school_id, { values, mobile }),
    mobile_idx: subjectIdx(keys, school_id, `mobile:${mobile}`), ip_hash: subjectIdx(keys, school_id, 'submit:demo'),
  })))
}
