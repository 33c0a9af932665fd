import { randomUUID } from 'node:crypto'
import { devicesErrors } from '@campus/devices/contract'
import type { ConfigDraft } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { togetherFaults, valueFault } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { openSettings } from '../sealed-parts.ts'
import { keysOf } from './profile.service.ts'
import type { WholeProfile } from './profile.queries.ts'

type Settings = Pick<ConfigDraft, 'values' | 'secrets'>
const Texts = z.record(z.string(), z.string())

/** Every setting of a draft is one that its model takes, with a value that it takes. @throws Refusal 422 configInvalid with the fields */
export async function requireValues(ctx: DevicesCtx, { values, secrets, model_code }: Settings & { model_code: string | null }, before: Pick<WholeProfile, 'secret_versions'> | null, device_type?: string): Promise<void> {
  const keys = new Map((await keysOf(ctx, model_code, device_type)).map(one => [one.key, one]))
  const faults = new Map<string, string>()
  for (const [key, value] of [...Object.entries(values), ...Object.entries(secrets)]) {
    const setting = keys.get(key)
    const is_secret = setting?.kind === 'secret'
    if (!setting || (key in values) === is_secret) faults.set(key, '该型号不支持此设置')
    else if (value === true) {
      if (before?.secret_versions[key] === undefined) faults.set(key, `请填写${setting.title}`)
    } else {
      const sentence = valueFault(setting, value)
      if (sentence !== undefined) faults.set(key, sentence)
    }
  }
  for (const [key, sentence] of Object.entries(togetherFaults(values))) if (!faults.has(key)) faults.set(key, sentence)
  if (faults.size > 0) throw fail(devicesErrors.configInvalid, { errors: [...faults].map(([key, msg]) => ({ field: `values.${key}`, msg })) })
}

/** The secrets of a draft in the clear and the version of each; one that is kept keeps its version. */
export async function keptSecrets({ app, db, school_id }: DevicesCtx, secrets: Settings['secrets'], before: Pick<WholeProfile, 'profile_id' | 'secret_versions'> | null): Promise<{ texts: Record<string, string>; versions: Record<string, string> }> {
  const row = before ? await db.selectFrom('config_profile').select('secret_sealed').where('school_id', '=', school_id).where('profile_id', '=', before.profile_id).executeTakeFirst() : undefined
  const held = row?.secret_sealed ? Texts.parse(JSON.parse(openSettings(app.secrets.data_key, school_id, row.secret_sealed))) : {}
  const texts: Record<string, string> = {}
  const versions: Record<string, string> = {}
  for (const [key, sent] of Object.entries(secrets)) {
    const text = sent === true ? held[key] : sent
    if (text === undefined) continue
    texts[key] = text
    versions[key] = sent === true || text === held[key] ? (before?.secret_versions[key] ?? randomUUID()) : randomUUID()
  }
  return { texts, versions }
}
