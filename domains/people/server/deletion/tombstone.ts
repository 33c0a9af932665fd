import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import type { Db } from '../db.ts'

const Stone = z.object({ school_id: z.number().int(), user_id: z.string(), batch_no: z.string(), purged_at: z.iso.datetime() })
/** Somebody who was deleted: no name, nothing but numbers. */
export type Tombstone = { school_id: number; user_id: string; batch_no: string; purged_at: Date }

const folder = 'tombstone'

/** Enters in the database that somebody is no more; who was entered before keeps his day. */
export async function enterTombstone(db: Db, { school_id, user_id, batch_no, purged_at }: Tombstone): Promise<Tombstone> {
  const person = await db.selectFrom('person').select('id_no_idx').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  await db.insertInto('tombstone').values({ school_id, user_id, batch_no, purged_at, id_no_idx: person?.id_no_idx ?? null }).onConflict(conflict => conflict.doNothing()).execute()
  const stone = await db.selectFrom('tombstone').select(['batch_no', 'purged_at']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  return { school_id, user_id, ...stone }
}

/**
 * Keeps a tombstone beside the database too, one small file of the embedded store each: a backup of before the deletion knows nothing of it, and is
 * put back over the files that are there.
 */
export async function rememberTombstone({ files }: App, { school_id, user_id, batch_no, purged_at }: Tombstone): Promise<void> {
  const path = files.scratch()
  await writeFile(path, JSON.stringify({ school_id, user_id, batch_no, purged_at: purged_at.toISOString() }), { mode: 0o600 })
  await files.place(path, `${folder}/${school_id}-${user_id}.json`)
}

/** Every tombstone that is kept beside the database. */
export async function rememberedTombstones({ files }: App): Promise<Tombstone[]> {
  const names = await readdir(files.pathOf(folder)).catch(() => [])
  const stones: Tombstone[] = []
  for (const name of names) {
    const { purged_at, ...stone } = Stone.parse(JSON.parse(await readFile(files.pathOf(`${folder}/${name}`), 'utf8')))
    stones.push({ ...stone, purged_at: new Date(purged_at) })
  }
  return stones
}
