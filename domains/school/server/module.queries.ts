import { asTables } from '@kit/server/db'
import type { Insertable, Kysely, QueryExecutorProvider, Selectable } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>
/** One period of a module. */
export type ModuleRow = Omit<Selectable<SchoolDb['school_module']>, 'school_id' | 'valid' | 'created_at' | 'created_by'>
type NewRow = Insertable<SchoolDb['school_module']>

const columns = ['module_code', 'valid_from', 'valid_to', 'enabled', 'sub_app_url', 'token_url', 'sign_mode', 'secret_ref', 'frame_origins', 'entry_open'] as const

/** Every period of every module, in time. */
export function listModuleRows(db: Db, school_id: number): Promise<ModuleRow[]> {
  return db.selectFrom('school_module').select(columns).where('school_id', '=', school_id).orderBy('module_code').orderBy('valid_from').execute()
}

/** Ends what goes on beyond a day on that day, and takes away what would begin then or later. */
export async function cutModule(db: Db, school_id: number, module_code: string, day: string): Promise<void> {
  await db.deleteFrom('school_module').where('school_id', '=', school_id).where('module_code', '=', module_code).where('valid_from', '>=', day).execute()
  await db
    .updateTable('school_module')
    .set({ valid_to: day })
    .where('school_id', '=', school_id)
    .where('module_code', '=', module_code)
    .where('valid_from', '<', day)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', day)]))
    .execute()
}

/** Licenses a module for a time in the caller's transaction, where nothing is said of it yet. */
export async function standModule(db: QueryExecutorProvider, row: NewRow): Promise<void> {
  await addModuleRow(asTables<SchoolDb>(db), row)
}

/** Writes one period. */
export async function addModuleRow(db: Db, row: NewRow): Promise<void> {
  await db.insertInto('school_module').values(row).execute()
}
