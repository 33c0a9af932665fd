import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { SchoolDb } from './db.ts'
import { listModuleRows } from './module.queries.ts'
import type { ModuleRow } from './module.queries.ts'
import { openSecret } from './module-secret.ts'
import { moduleOn } from './navigation/module-state.ts'
import { schoolDay } from './school-day.ts'
import type { SettingDesk, SubAppSetting } from './sub-app-setting.ts'

/** What a school says of its modules as they run today, by code; a module it says nothing of is not in the answer. */
export async function readModuleSettings(desk: SettingDesk, db: QueryExecutorProvider, school_id: number): Promise<ReadonlyMap<string, SubAppSetting>> {
  return moduleSettingsOf(desk, school_id, await listModuleRows(asTables<SchoolDb>(db), school_id))
}

/** The same from rows that were read before, in time. */
export function moduleSettingsOf({ app }: SettingDesk, school_id: number, periods: readonly ModuleRow[]): ReadonlyMap<string, SubAppSetting> {
  const today = schoolDay(app.clock.now())
  const by_code = Map.groupBy(periods, row => row.module_code)
  return new Map([...by_code].flatMap(([code, rows]) => {
    const row = rows.findLast(({ valid_from }) => valid_from <= today) ?? rows[0]
    return row ? [[code, settingOf(app.secrets.data_key, school_id, row, moduleOn(rows, today).state === 'open')]] : []
  }))
}

function settingOf(data_key: Buffer, school_id: number, row: ModuleRow, enabled: boolean): SubAppSetting {
  const { module_code, sub_app_url, token_url, sign_mode, secret_ref, frame_origins, entry_open } = row
  return {
    enabled, entry_open, token_url, frame_origins,
    address: sub_app_url,
    sign_mode: sign_mode === 'md5' ? 'md5' : 'hmac',
    secret: secret_ref === null ? null : openSecret(data_key, school_id, module_code, secret_ref),
  }
}
