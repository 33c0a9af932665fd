import { subAppPath, subApps } from '@campus/school/contract'
import type { RouteFact } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { SchoolDb } from './db.ts'
import { readModuleSettings } from './module-reader.ts'
import { publicUrl } from './school.service.ts'
import type { SettingDesk, SubAppSetting } from './sub-app-setting.ts'

/** Sub-applications stand after the pages of their group. */
const last_in_group = 1000

const own_setting: SubAppSetting = { enabled: true, entry_open: true, address: null, sign_mode: 'hmac', secret: null, frame_origins: [], token_url: null }

/**
 * What a school says of its sub-applications, by code, in one query; the codes that are not in the answer run as `own_setting`. The one
 * place where the settings are read.
 */
export function subAppSettings(desk: SettingDesk, db: QueryExecutorProvider, school_id: number): Promise<ReadonlyMap<string, SubAppSetting>> {
  return readModuleSettings(desk, db, school_id)
}

/** The setting of one sub-application; without one of the school's, our own pages signed with a key of this installation. */
export async function subAppSetting(desk: SettingDesk, db: QueryExecutorProvider, school_id: number, code: string): Promise<SubAppSetting> {
  return (await subAppSettings(desk, db, school_id)).get(code) ?? own_setting
}

/** The menu entries of the sub-applications that lead somewhere in a school: our own that are built, and those of a partner. */
export function subAppFacts(settings: ReadonlyMap<string, SubAppSetting>): RouteFact[] {
  return subApps.flatMap(({ id, code, title, group, icon, school_types, ...app }) => {
    const setting = settings.get(code) ?? own_setting
    const leads = setting.enabled && setting.entry_open && (setting.address !== null || 'built' in app)
    return leads ? [{ id, path: subAppPath(code), code, title, group, icon, order: last_in_group + id, school_types }] : []
  })
}

/** A school's name and state, and what it has decided about the services its sub-applications and its AI help rest on; null for an unknown school. */
export async function serviceSwitches(db: QueryExecutorProvider, school_id: number) {
  const found = await asTables<SchoolDb>(db)
    .selectFrom('school_config as c')
    .innerJoin('school as s', 's.school_id', 'c.school_id')
    .where('c.school_id', '=', school_id)
    .select(['s.school_type', 's.school_name', 's.school_logo', 's.state', 'c.cloud_fee', 'c.open_ai_help', 'c.ai_help_url'])
    .executeTakeFirst()
  if (!found) return null
  const { school_logo, ...row } = found
  return { ...row, school_logo_url: publicUrl(school_logo) }
}
