import { chunks } from '../bulk.ts'
import type { Db } from '../db.ts'

/** A remark field with what departments say of it. */
export type NewRemark = { label: string; options: string[]; applies_to: number[]; values: readonly { dept_id: string; value: string }[] }

/** Makes remark fields in this order with their values, without a word in the log: for schools that are made whole. */
export async function createRemarks(db: Db, school_id: number, remarks: readonly NewRemark[]): Promise<void> {
  for (const [at, { values, ...field }] of remarks.entries()) {
    const { id } = await db.insertInto('dept_remark_field').values({ school_id, ...field, order_no: at + 1 }).returning('id').executeTakeFirstOrThrow()
    for (const part of chunks(values)) await db.insertInto('dept_remark').values(part.map(one => ({ school_id, field_id: id, ...one }))).execute()
  }
}
