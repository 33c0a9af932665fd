import { content_state, playable_mime, source, target_kind } from '@campus/publishing/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Work } from '../db.ts'
import { endContents } from './content.end.ts'
import { board_types, filesOfAlbum } from './facts.ts'
import type { KeptFile } from './facts.ts'
import { compileBoards, markDirty } from './plan.service.ts'

/** How long a board without the server goes on showing what came from the library. */
const offline_hours = 168
const [most_title, usual_priority, ready] = [40, 5, 1] as const

type Published = KeptFile & { resource_id: string; resource_name: string; state: number; place_ids: string[] }

/**
 * Makes the contents of these resources what their open usages in rooms say (chapter 60 rule 29): one content a resource, shown in the
 * picture zone of the boards of those rooms. What is shown nowhere any more is taken down for good. The caller has locked the resources.
 * @param by who has published or taken back
 * @param pace `soon`: with other changes of the same moments; `now`: boards hear of it in this transaction
 * @returns boards whose plans are concerned
 */
export async function followUsages(
  work: Work,
  resource_ids: readonly string[],
  { by, pace }: { by: string; pace: 'soon' | 'now' },
): Promise<number> {
  const published = await readPublishedFiles(work, resource_ids)
  const living = await livingContents(work, resource_ids)
  const before = await placesOf(work, [...living.values()])
  const shown = published.filter(one => one.state === ready && one.place_ids.length > 0 && playable_mime.test(one.mime))
  const contents = new Map<string, string>()
  for (const one of shown) contents.set(await writeContent(work, one, living.get(one.resource_id), by), one.resource_id)
  await writePlaces(work, contents, new Map(shown.map(one => [one.resource_id, one.place_ids])))
  const kept = new Set(shown.map(one => one.resource_id))
  await endContents(
    work,
    [...living].flatMap(([resource_id, content_id]) => (kept.has(resource_id) ? [] : [content_id])),
    '取消发布',
  )
  const boards = await boardsAt(work, [...new Set([...before, ...shown.flatMap(one => one.place_ids)])])
  if (pace === 'now') await compileBoards(work, boards, '取消发布资源')
  else await markDirty(work, boards, '发布资源')
  return boards.length
}

async function readPublishedFiles({ db, school_id }: Work, resource_ids: readonly string[]): Promise<Published[]> {
  const { rows } = await sql<Published>`
    select r.resource_id::text as resource_id, r.resource_name, r.resource_name as name, r.cdn_name as file_key, coalesce(r.sha256, '') as sha256,
      r.bytes::float8 as bytes, r.mime, r.state::int as state, coalesce(u.place_ids, '{}') as place_ids
    from publishing_resource r left join (select u.resource_id, array_agg(u.place_id::text order by u.place_id) as place_ids
      from publishing_usage u where u.school_id = ${school_id} and u.valid_to is null and u.place_id is not null group by u.resource_id) u
      on u.resource_id = r.resource_id
    where r.school_id = ${school_id} and r.resource_id = any(${[...resource_ids]}::bigint[]) order by r.resource_id`.execute(db)
  return rows.filter(row => row.sha256 !== '')
}

async function livingContents({ db, school_id }: Work, resource_ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('publishing_content')
    .select(['content_id', 'resource_id'])
    .where('school_id', '=', school_id)
    .where('state', '=', content_state.live)
    .where(sql<boolean>`resource_id = any(${[...resource_ids]}::bigint[])`)
    .execute()
  return new Map(rows.map(({ resource_id, content_id }) => [resource_id ?? '', content_id]))
}

async function placesOf({ db, school_id }: Work, content_ids: readonly string[]): Promise<string[]> {
  if (content_ids.length === 0) return []
  const rows = await db
    .selectFrom('publishing_content_target')
    .select('target_id')
    .where('school_id', '=', school_id)
    .where('content_id', 'in', [...content_ids])
    .execute()
  return rows.flatMap(row => row.target_id ?? [])
}

async function writeContent({ db, school_id, now }: Work, one: Published, content_id: string | undefined, by: string): Promise<string> {
  const { resource_id, resource_name, file_key, name, sha256, bytes, mime } = one
  const shown = {
    title: [...resource_name].slice(0, most_title).join(''),
    files: JSON.stringify([{ file_key, name, sha256, bytes, mime }]),
    updated_at: now,
  }
  if (content_id !== undefined) {
    await db.updateTable('publishing_content').set(shown).where('school_id', '=', school_id).where('content_id', '=', content_id).execute()
    return content_id
  }
  const row = await db
    .insertInto('publishing_content')
    .values({
      school_id,
      resource_id,
      ...shown,
      source_kind: source.files,
      zone: 'media',
      priority: usual_priority,
      weight: 1,
      valid_from: now,
      offline_ttl_hours: offline_hours,
      state: content_state.live,
      created_at: now,
      created_by: by,
    })
    .returning('content_id')
    .executeTakeFirstOrThrow()
  return row.content_id
}

/** Targets of all of them at once: three pictures in ninety rooms are 270 rows. */
type Places = ReadonlyMap<string, string[]>
async function writePlaces({ db, school_id }: Work, contents: ReadonlyMap<string, string>, places: Places): Promise<void> {
  if (contents.size === 0) return
  const ids = [...contents.keys()]
  await db.deleteFrom('publishing_content_target').where('school_id', '=', school_id).where('content_id', 'in', ids).execute()
  await insertMany(
    db,
    'publishing_content_target',
    [...contents].flatMap(([content_id, resource_id]) =>
      (places.get(resource_id) ?? []).map((target_id, at) => ({
        school_id,
        content_id,
        line_no: at + 1,
        mode: 1,
        target: target_kind.place,
        target_id,
      })),
    ),
  )
}

async function boardsAt({ db, school_id }: Work, place_ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('device_live_v')
    .select('device_id')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`place_id = any(${[...place_ids]}::bigint[])`)
    .where(sql<boolean>`device_type = any(${[...board_types]}::text[])`)
    .execute()
  return rows.map(row => row.device_id)
}

/** Contents that show an album follow what is in it (chapter 60 §9, 24). */
export async function followAlbums(work: Work, folder_ids: readonly (string | null)[]): Promise<void> {
  const { db, school_id } = work
  const wanted = [...new Set(folder_ids.filter(id => id !== null))]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom('publishing_content')
    .select(['content_id', 'source_id', 'state'])
    .where('school_id', '=', school_id)
    .where('source_kind', '=', source.album)
    .where('source_id', 'in', wanted)
    .where('state', '<', content_state.taken)
    .execute()
  for (const { content_id, source_id } of rows)
    await db
      .updateTable('publishing_content')
      .set({ files: JSON.stringify(await filesOfAlbum(work, source_id ?? '')) })
      .where('school_id', '=', school_id)
      .where('content_id', '=', content_id)
      .execute()
  if (rows.some(row => row.state === content_state.live)) await markDirty(work, null, '相册变化')
}
