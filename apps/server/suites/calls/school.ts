import { randomUUID } from 'node:crypto'
import { clientErrorApi, configApi, dictionaryApi, dictionaryEditApi, moduleApi, navigationApi, navSettingApi, pictureApi, preferenceApi, schoolApi, schoolInfoApi, setupApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { upload } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { drawn } from './files.ts'
import { schoolManageCalls } from './school-manage.ts'

const app_code = 'app_education_platform' as const

const own_item = { sc_code_type: 'HONOUR_CLASS', order: 90, enabled: true }
const school_words = {
  school_name: '测试学校', school_code: null, division: '370200', address: null, bxlx: null, school_run_by: null, urban_rural: null,
  principal_name: null, tel: null, icp_no: null, home_lng: null, home_lat: null,
}

/** The version a careful caller has just read. */
async function versionOf({ app, school_id }: World, column: 'row_version' | 'config_version', table: 'school' | 'school_config'): Promise<number> {
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ version: number }>`select ${sql.ref(column)} as version from ${sql.table(table)} where school_id = ${school_id}`.execute(db))
  return rows[0]?.version ?? 0
}

async function navVersion({ app, school_id }: World): Promise<number> {
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ nav_version: number }>`select nav_version from school_nav_state where school_id = ${school_id}`.execute(db))
  return rows[0]?.nav_version ?? 1
}

export const schoolCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(schoolApi, {
    face: world => ({ input: { id: world.school_id } }),
    config: world => ({ input: { id: world.school_id } }),
    info: () => ({ input: {} }),
  }),
  ...schoolManageCalls,
  ...buildersOf(schoolInfoApi, {
    detail: () => ({ input: {} }),
    update: async world => ({ input: { ...school_words, row_version: await versionOf(world, 'row_version', 'school') } }),
  }),
  ...buildersOf(pictureApi, {
    save: async ({ app, me }) => ({ input: { kind: 'logo' as const, file_key: await upload(app, me, { purpose: 'logo', name: `${randomUUID()}.png`, body: await drawn() }) } }),
    remove: () => ({ input: { kind: 'login_bg' as const } }),
  }),
  ...buildersOf(configApi, {
    update: async world => ({ input: { id: world.school_id, config_version: await versionOf(world, 'config_version', 'school_config'), values: { gps_type: 2 } } }),
  }),
  ...buildersOf(dictionaryEditApi, {
    types: () => ({ input: {} }),
    lines: () => ({ input: { sc_code_type: 'HONOUR_CLASS' } }),
    export: () => ({ input: { sc_code_type: 'HONOUR_CLASS' } }),
    add: world => ({ input: { ...own_item, sc_code_item: `T${world.school_id}`, name: `书法${world.school_id}` } }),
    change: () => ({ input: { ...own_item, sc_code_item: '1', name: '文明之星班级' } }),
  }),
  ...buildersOf(clientErrorApi, {
    report: () => ({ input: { route: '/ParentsRecord', name: 'TypeError', hash: 'a1b2c3', version: '1.4.9' } }),
  }),
  ...buildersOf(navigationApi, { list: world => ({ input: { role_id: world.me.role_id, app_code } }), badges: () => ({ input: {} }) }),
  ...buildersOf(navSettingApi, {
    read: () => ({ input: {} }),
    save: async world => ({ input: { nav_version: await navVersion(world), nodes: [{ nav_id: 204, show_name: '应用', icon: null, order: 3, hidden: false }] } }),
  }),
  ...buildersOf(moduleApi, {
    list: () => ({ input: {} }),
    save: async world => ({ input: { nav_version: await navVersion(world), module_code: 'resource', enabled: false, valid_from: '2999-01-01', valid_to: null } }),
  }),
  ...buildersOf(dictionaryApi, {
    all: world => ({ input: { school_id: world.school_id } }),
    item: () => ({ input: { sc_code_type: 'SEX' } }),
  }),
  ...buildersOf(preferenceApi, {
    read: () => ({ input: { pref_key: 'quick_navs' } }),
    list: () => ({ input: { kind: 'filters' as const } }),
    save: () => ({ input: { pref_key: 'quick_navs', value: ['/ParentsRecord'] } }),
  }),
  ...buildersOf(setupApi, { list: () => ({ input: {} }), hide: () => ({ input: { hidden: true } }) }),
])
