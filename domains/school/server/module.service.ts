import { hidden_secret, menuGroups, schoolErrors, subApps } from '@campus/school/contract'
import type { moduleApi, ModuleLine, ModuleList, SubAppDraft } from '@campus/school/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { SchoolCtx } from './db.ts'
import { addModuleRow, cutModule, listModuleRows } from './module.queries.ts'
import type { ModuleRow } from './module.queries.ts'
import { sealSecret } from './module-secret.ts'
import { raiseNavVersion } from './nav-setting.service.ts'
import { findNavVersion } from './nav-setting.queries.ts'
import { isFrameOrigin } from './navigation/frame-origin.ts'
import { term } from './navigation/menu.ts'
import { moduleOn } from './navigation/module-state.ts'
import { schoolDay } from './school-day.ts'
import { findSchool } from './school.queries.ts'

type Draft = Input<typeof moduleApi.save>
type ModuleFact = Pick<ModuleLine, 'module_code' | 'title' | 'kind' | 'fixed'> & { built: boolean }
type Setting = Omit<NonNullable<ModuleLine['sub_app']>, 'built'>

/** What no school can do without: its own page, its people, its roles and settings. */
const fixed_groups: readonly string[] = ['home', 'archive', 'role', 'system']
const own_pages: Setting = { sub_app_url: null, token_url: null, sign_mode: 'hmac', secret: null, frame_origins: [], entry_open: true }

/** Every module of the school's kind with its periods and, of a sub-application, how it is opened. Secrets are only told to exist. */
export async function readModules(ctx: SchoolCtx): Promise<ModuleList> {
  const today = schoolDay(ctx.now)
  const rows = await listModuleRows(ctx.db, ctx.school_id)
  const list = (await moduleFacts(ctx)).map(fact => lineOf(fact, rows.filter(row => row.module_code === fact.module_code), today))
  return { nav_version: await findNavVersion(ctx.db, ctx.school_id), today, list }
}

/**
 * Switches a module on or off from a day on; what was before that day stays, what was planned after it is replaced.
 * @throws Refusal 404 unknown module, 409 changed meanwhile, 422 a basic module, a day that has passed, or an origin that may not frame
 */
export async function changeModule(ctx: SchoolCtx, draft: Draft): Promise<ModuleList> {
  const today = schoolDay(ctx.now)
  const fact = (await moduleFacts(ctx)).find(known => known.module_code === draft.module_code)
  if (!fact) throw fail(schoolErrors.moduleMissing)
  if (fact.fixed) throw fail(schoolErrors.moduleFixed)
  if (draft.valid_from < today) throw fail(schoolErrors.modulePast)
  if (draft.sub_app?.frame_origins.some(origin => !isFrameOrigin(origin, ctx.app.config.CAMPUS_PROFILE))) throw fail(schoolErrors.frameOrigin)
  const before = (await listModuleRows(ctx.db, ctx.school_id)).filter(row => row.module_code === fact.module_code)
  await raiseNavVersion(ctx, draft.nav_version)
  await cutModule(ctx.db, ctx.school_id, fact.module_code, draft.valid_from)
  if (before.length === 0 && draft.valid_from > today) await addModuleRow(ctx.db, { ...newRow(ctx, draft, undefined), enabled: true, valid_from: today, valid_to: draft.valid_from })
  await addModuleRow(ctx.db, newRow(ctx, draft, before.at(-1)))
  ctx.note({ target_kind: 'school_module', target_id: fact.module_code, target_name: fact.title, before: before.length > 0 ? sideOf(before.at(-1)) : {}, after: sideOf(draft) })
  return readModules(ctx)
}

async function moduleFacts({ db, school_id }: SchoolCtx): Promise<ModuleFact[]> {
  const school_type = (await findSchool(db, school_id))?.school_type ?? 1
  const groups = menuGroups.map(({ code, name }): ModuleFact => ({ module_code: code, title: term(name, school_type), kind: 'group', fixed: fixed_groups.includes(code), built: true }))
  const apps = subApps.filter(app => app.school_types.some(type => type === school_type)).map((app): ModuleFact => ({ module_code: app.code, title: term(app.title, school_type), kind: 'sub_app', fixed: false, built: 'built' in app }))
  return [...groups, ...apps]
}

function lineOf({ built, ...fact }: ModuleFact, rows: readonly ModuleRow[], today: string): ModuleLine {
  const periods = rows.map(({ valid_from, valid_to, enabled }) => ({ valid_from, valid_to, enabled }))
  return { ...fact, ...moduleOn(periods, today), periods, sub_app: fact.kind === 'sub_app' ? { ...settingOf(rows.at(-1)), built } : null }
}

function settingOf(row: ModuleRow | undefined): Setting {
  if (!row) return own_pages
  const { sub_app_url, token_url, sign_mode, secret_ref, frame_origins, entry_open } = row
  return { sub_app_url, token_url, sign_mode: sign_mode === 'md5' ? 'md5' : 'hmac', secret: secret_ref === null ? null : hidden_secret, frame_origins, entry_open }
}

function newRow({ school_id, app, me, now }: SchoolCtx, { module_code, enabled, valid_from, valid_to, sub_app }: Draft, last: ModuleRow | undefined) {
  const { secret, ...setting } = sub_app ?? keptSetting(last)
  const secret_ref = secret === undefined ? (last?.secret_ref ?? null) : secret && sealSecret(app.secrets.data_key, school_id, module_code, secret)
  return { school_id, module_code, enabled, valid_from, valid_to, ...setting, secret_ref, created_by: me.user_id, created_at: now }
}

function keptSetting(last: ModuleRow | undefined): SubAppDraft {
  const { secret: _told, ...setting } = settingOf(last)
  return setting
}

/** One side of the log: all but the secret. */
function sideOf(row: ModuleRow | Draft | undefined): Record<string, unknown> {
  return row ? { enabled: row.enabled, valid_from: row.valid_from, valid_to: row.valid_to } : {}
}
