import { TagDraft } from '@campus/people/contract'
import type { z } from 'zod'
import { chunks } from './bulk.ts'
import type { Db } from './db.ts'

/** A tag with those who have it from a day on. */
export type NewTag = { draft: z.input<typeof TagDraft>; user_ids: readonly string[] }

/** Makes tags in this order and gives them, without a word in the journal: for schools that are made whole. */
export async function createTags(db: Db, school_id: number, tags: readonly NewTag[], from: string): Promise<void> {
  for (const [at, { draft, user_ids }] of tags.entries()) {
    const { rule, ...look } = TagDraft.parse(draft)
    const { id } = await db
      .insertInto('tag')
      .values({ school_id, ...look, kind: rule ? 'rule' : 'manual', rule: rule ? JSON.stringify(rule) : null, order_no: at + 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const part of chunks(user_ids)) await db.insertInto('tag_link').values(part.map(user_id => ({ school_id, tag_id: id, user_id, valid_from: from }))).execute()
  }
}
