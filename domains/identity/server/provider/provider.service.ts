import { adapter_facts, checkSettings, identityErrors, provider_kept_secret, settingsOf } from '@campus/identity/contract'
import type { providerApi, ProviderDraft, ProviderRow } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { App } from '@kit/server/http'
import { sealText } from '@kit/server/secrets'
import type { z } from 'zod'
import type { IdentityCtx } from '../db.ts'
import { problemOf, usableAdapters } from './adapters.ts'
import { spendRecheck } from '../ticket.queries.ts'
import { countBinds } from './bind.queries.ts'
import { openLine, readLine, readLines, secretPurpose } from './line.queries.ts'
import type { LineKey, StoredLine } from './line.queries.ts'

type Draft = z.output<typeof ProviderDraft>

/** The ways to sign in of the school, and which may be added here. Secrets never leave. */
export async function listProviders({ app, db, school_id }: IdentityCtx): Promise<Reply<typeof providerApi.list>> {
  const bound = await countBinds(db, school_id)
  const lines = await readLines(db, school_id)
  return { list: lines.map(line => rowOf(app, school_id, line, bound.get(line.adapter) ?? 0)), adapters: usableAdapters(app) }
}

/**
 * Adds a way to sign in; whoever sits at somebody else's console cannot, since the own password is asked for (`recheck_token`).
 * @throws Refusal 422 recheckNeeded, adapterUnknown, invalid settings by field, providerNotReady when it is to be on and cannot; 409 providerExists
 */
export async function createProvider(ctx: IdentityCtx, input: Input<typeof providerApi.create>): Promise<ProviderRow> {
  const { shape, adapter, recheck_token, ...draft } = input
  const key = { shape, adapter }
  if (!adapter_facts[adapter].shapes.includes(shape)) throw fail(identityErrors.adapterUnknown)
  const stored = checked(ctx, key, draft, null)
  await requireRecheck(ctx, recheck_token)
  await ctx.db.insertInto('login_provider').values({ school_id: ctx.school_id, ...columnsOf(ctx, stored) }).execute()
  return written(ctx, key, null)
}

/** Changes one; turning it on or off alone asks for no password. @throws as `createProvider`, 404, 409 stale */
export async function updateProvider(ctx: IdentityCtx, input: Input<typeof providerApi.update>): Promise<ProviderRow> {
  const { shape, adapter, row_version, recheck_token, ...draft } = input
  const { db, school_id } = ctx
  const key = { shape, adapter }
  const before = await readLine(db, school_id, key)
  if (!before) throw fail(commonErrors.notFound)
  const stored = checked(ctx, key, draft, before)
  if (!isSwitch(before, stored)) await requireRecheck(ctx, recheck_token)
  const changed = await db
    .updateTable('login_provider')
    .set({ ...columnsOf(ctx, stored), row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('shape', '=', shape)
    .where('adapter', '=', adapter)
    .where('row_version', '=', row_version)
    .executeTakeFirst()
  if (changed.numUpdatedRows !== 1n) throw fail(commonErrors.stale)
  return written(ctx, key, before)
}

/** Removes one; when it was the last of its adapter, what people have bound to it goes too. @throws Refusal 404, 409 stale */
export async function removeProvider(ctx: IdentityCtx, { shape, adapter, row_version }: Input<typeof providerApi.remove>): Promise<{ unbound: number }> {
  const { db, school_id } = ctx
  const before = await readLine(db, school_id, { shape, adapter })
  if (!before) throw fail(commonErrors.notFound)
  const gone = await db.deleteFrom('login_provider').where('school_id', '=', school_id).where('shape', '=', shape).where('adapter', '=', adapter).where('row_version', '=', row_version).executeTakeFirst()
  if (gone.numDeletedRows !== 1n) throw fail(commonErrors.stale)
  const others = (await readLines(db, school_id)).filter(line => line.adapter === adapter)
  const unbound = others.length > 0 ? [] : await db.deleteFrom('external_bind').where('school_id', '=', school_id).where('provider', '=', adapter).returning('user_id').execute()
  note(ctx, { shape, adapter }, before, null)
  return { unbound: unbound.length }
}

/** @throws Refusal 422 recheckNeeded */
async function requireRecheck({ db, me, now }: IdentityCtx, recheck_token: string | undefined): Promise<void> {
  if (recheck_token === undefined || !(await spendRecheck(db, me.user_id, recheck_token, now))) throw fail(identityErrors.recheckNeeded)
}

/** Whether nothing but on and off is different: what people come in by stays as it was. */
function isSwitch(before: StoredLine, after: StoredLine): boolean {
  const said = ({ enabled: _enabled, secret_enc: _secret, row_version: _version, settings, ...rest }: StoredLine) => JSON.stringify([Object.entries({ ...rest, ...settings }).toSorted()])
  return said(before) === said(after) && sameSecret(before.secret_enc, after.secret_enc)
}

/** A draft that may be stored: what is on must be able to work, what is off may be half-finished. */
function checked({ app, school_id, me }: IdentityCtx, { shape, adapter }: LineKey, draft: Draft, before: StoredLine | null): StoredLine {
  const fact = adapter_facts[adapter]
  if (!usableAdapters(app).includes(adapter)) throw fail(identityErrors.adapterUnknown)
  const { secret, ...rest } = draft
  const settings = settingsOf(adapter, draft.settings)
  const errors = checkSettings(adapter, settings).filter(({ field }) => draft.enabled || settings[field.slice('settings.'.length)] !== '')
  if (errors.length > 0) throw fail(commonErrors.invalid, { errors })
  const match_by = fact.matches.includes(draft.match_by) ? draft.match_by : 'external_bind'
  // Who matches by number or mobile decides who comes in as whom: that is for those who hand out roles, and for nobody where duties are kept apart.
  if (match_by !== 'external_bind' && match_by !== before?.match_by && (app.config.CAMPUS_SEPARATE_DUTIES || !(me.is_super || me.codes.has('identity.role.edit')))) throw fail(identityErrors.matchNotYours)
  if (secret === provider_kept_secret && before?.secret_enc && before.settings.issuer !== settings.issuer) throw fail(commonErrors.invalid, { errors: [{ field: 'secret', msg: '更换地址后请重新填写密钥' }] })
  const line = { ...rest, shape, adapter, match_by, settings, secret_enc: before?.secret_enc ?? null, row_version: before?.row_version ?? 1 } satisfies StoredLine
  const stored = { ...line, secret_enc: fact.secret === null || secret === '' ? null : secret === provider_kept_secret ? line.secret_enc : sealText(app.secrets.data_key, secretPurpose(school_id, line), secret) }
  const problem = draft.enabled ? problemOf(app, openLine(app, school_id, stored)) : null
  if (problem !== null) throw fail(identityErrors.providerNotReady, { params: { problem } })
  return stored
}

function columnsOf({ me, now }: IdentityCtx, { settings, row_version: _version, ...rest }: StoredLine) {
  return { ...rest, settings: JSON.stringify(settings), updated_at: now, updated_by: me.user_id }
}

async function written(ctx: IdentityCtx, key: LineKey, before: StoredLine | null): Promise<ProviderRow> {
  const after = await readLine(ctx.db, ctx.school_id, key)
  if (!after) throw fail(commonErrors.notFound)
  note(ctx, key, before, after)
  const bound = await countBinds(ctx.db, ctx.school_id)
  return rowOf(ctx.app, ctx.school_id, after, bound.get(key.adapter) ?? 0)
}

/** The log says what was set, of the secret only that it is another one. */
function note(ctx: IdentityCtx, { shape, adapter }: LineKey, before: StoredLine | null, after: StoredLine | null): void {
  const told = (line: StoredLine | null) => (line === null ? undefined : { enabled: line.enabled, label: line.label, match_by: line.match_by, ...line.settings })
  const is_new_secret = after !== null && !sameSecret(before?.secret_enc ?? null, after.secret_enc)
  ctx.note({ target_kind: 'identity.provider', target_id: `${shape}/${adapter}`, target_name: (after ?? before)?.label, before: told(before), after: { ...told(after), ...(is_new_secret ? { secret_changed: true } : {}) } })
}

function sameSecret(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b)
}

function rowOf(app: App, school_id: number, stored: StoredLine, bound: number): ProviderRow {
  const { secret_enc, settings: _stored, ...rest } = stored
  const line = openLine(app, school_id, stored)
  return { ...rest, settings: { ...line.settings }, secret: secret_enc ? provider_kept_secret : '', bound, callback: line.callback, problem: problemOf(app, line) }
}
