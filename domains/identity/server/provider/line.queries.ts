import { adapter_facts, match_kinds, provider_adapters, provider_icons, provider_shapes, settingsOf } from '@campus/identity/contract'
import type { MatchKind, ProviderAdapter, ProviderIcon, ProviderShape } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import { openText } from '@kit/server/secrets'
import { z } from 'zod'
import type { IdentityHandle } from '../db.ts'
import type { Line } from './adapter.ts'
import { callbackOf } from './callback.ts'

const Stored = z.object({
  shape: z.enum(provider_shapes),
  adapter: z.enum(provider_adapters),
  match_by: z.enum(match_kinds),
  icon: z.enum(provider_icons),
  settings: z.record(z.string(), z.string()),
})
export type LineKey = { shape: ProviderShape; adapter: ProviderAdapter }

/** A way to sign in as it is stored. */
export type StoredLine = LineKey & { match_by: MatchKind; icon: ProviderIcon; settings: Record<string, string>; enabled: boolean; secret_enc: Buffer | null; label: string; row_version: number }

/** What a school has set, in the order of shapes and adapters. */
export async function readLines(db: IdentityHandle, school_id: number): Promise<StoredLine[]> {
  const rows = await db.selectFrom('login_provider').selectAll().where('school_id', '=', school_id).orderBy('shape').orderBy('adapter').execute()
  return rows.map(({ enabled, secret_enc, label, row_version, ...row }) => ({ ...Stored.parse(row), enabled, secret_enc, label, row_version }))
}

/** One of them. */
export async function readLine(db: IdentityHandle, school_id: number, { shape, adapter }: LineKey): Promise<StoredLine | undefined> {
  return (await readLines(db, school_id)).find(line => line.shape === shape && line.adapter === adapter)
}

/** A line ready to be used, its secret opened. */
export function openLine(app: App, school_id: number, stored: StoredLine): Line {
  const { shape, adapter, secret_enc, match_by } = stored
  const settings = settingsOf(adapter, stored.settings)
  const secret = secret_enc ? openText(app.secrets.data_key, secretPurpose(school_id, stored), secret_enc) : ''
  return { school_id, shape, adapter, settings, secret, callback: callbackOf(app.config, school_id, stored), wants_phone: match_by === 'phone' && adapter_facts[adapter].matches.includes('phone') }
}

/** What a sealed secret is for: that of another school, shape or adapter does not open. */
export function secretPurpose(school_id: number, { shape, adapter }: { shape: string; adapter: string }): string {
  return `identity.provider:${school_id}:${shape}:${adapter}`
}
