import { asTables, insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { followUsages } from '../board/resource-content.ts'
import type { PublishingDb, Work } from '../db.ts'
import { state } from './resource.queries.ts'

type Place = Omit<Work, 'db'> & { db: QueryExecutorProvider }
/** A file of a library; `file_key` is in the store already or comes there in the same transaction, used by `publishing.resource` and the id that is answered. */
export type PlannedResource = {
  resource_type: number
  folder: string
  resource_name: string
  cdn_name: string
  sha256: string
  bytes: number
  mime: string
  width: number | null
  height: number | null
  is_picture: boolean
  created_by: string
  place_ids: readonly string[]
}

/** Makes albums by their names and what is in them, with where it is shown. @returns the id of each resource by its file key */
export async function createResources(
  { db: handle, ...place }: Place,
  planned: readonly PlannedResource[],
): Promise<Map<string, string>> {
  const db = asTables<PublishingDb>(handle)
  const { school_id, now } = place
  const made = { school_id, created_at: now }
  const ids = new Map<string, string>()
  for (const [folder, items] of Map.groupBy(planned, one => `${one.resource_type}/${one.folder}`)) {
    const [first] = items
    if (!first) continue
    const { resource_type, created_by } = first
    const { folder_id } = await db
      .insertInto('publishing_folder')
      .values({ ...made, resource_type, name: folder.slice(folder.indexOf('/') + 1), visibility: 1, order_no: ids.size + 1, created_by })
      .returning('folder_id')
      .executeTakeFirstOrThrow()
    for (const { folder: _folder, place_ids, bytes, ...item } of items) {
      const { resource_id } = await db
        .insertInto('publishing_resource')
        .values({ ...made, ...item, folder_id, bytes: String(bytes), state: state.ready })
        .returning('resource_id')
        .executeTakeFirstOrThrow()
      ids.set(item.cdn_name, resource_id)
      await insertMany(
        db,
        'publishing_usage',
        place_ids.map(place_id => ({ school_id, resource_id, place_id, valid_from: now, published_by: created_by })),
      )
    }
  }
  const [first] = planned
  if (first) await followUsages({ ...place, db }, [...ids.values()], { by: first.created_by, pace: 'soon' })
  return ids
}
