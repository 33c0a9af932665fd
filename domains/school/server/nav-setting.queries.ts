import type { NavNodeSetting } from '@campus/school/contract'
import type { Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>
type Step = { school_id: number; nav_version: number; by: string; now: Date }

/** The version of menu and modules; 1 while nobody has changed them. */
export async function findNavVersion(db: Db, school_id: number): Promise<number> {
  const state = await db.selectFrom('school_nav_state').select('nav_version').where('school_id', '=', school_id).executeTakeFirst()
  return state?.nav_version ?? 1
}

/** Takes the next version; undefined when it is another one by now. */
export async function takeNavVersion(db: Db, { school_id, nav_version, by, now }: Step): Promise<number | undefined> {
  const next = { nav_version: nav_version + 1, updated_by: by, updated_at: now }
  if (nav_version === 1) {
    // Nobody has changed anything yet, or somebody is just doing so: the key decides.
    const first = await db.insertInto('school_nav_state').values({ school_id, ...next }).onConflict(on => on.column('school_id').doNothing()).returning('nav_version').executeTakeFirst()
    return first?.nav_version
  }
  const moved = await db.updateTable('school_nav_state').set(next).where('school_id', '=', school_id).where('nav_version', '=', nav_version).returning('nav_version').executeTakeFirst()
  return moved?.nav_version
}

/** Everything the school says of its menu. */
export function listNavNodes(db: Db, school_id: number): Promise<NavNodeSetting[]> {
  return db.selectFrom('school_nav').select(['nav_id', 'show_name', 'icon', 'order', 'hidden']).where('school_id', '=', school_id).orderBy('nav_id').execute()
}

/** Writes it anew. */
export async function replaceNavNodes(db: Db, school_id: number, nodes: readonly NavNodeSetting[]): Promise<void> {
  await db.deleteFrom('school_nav').where('school_id', '=', school_id).execute()
  if (nodes.length > 0) await db.insertInto('school_nav').values(nodes.map(node => ({ school_id, ...node }))).execute()
}
