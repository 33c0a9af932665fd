import { batch_errors, controlText } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'
import { asObject, done, refused } from './answer.ts'
import type { Answer } from './answer.ts'

/** A package that is to be fetched. */
export type Wanted = { url: string; md5: string; is_system: boolean }
/** What a command does at the device once it is answered. */
export type Effect = 'none' | 'restart' | 'reset' | 'open'
const [restart, open, reset, capture, finger] = [0, 1, 4, 8, 12]
const [picture_alone, feature_alone] = [1, 2]
/** The start of a picture: enough for whoever looks at its first bytes. */
const picture = Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')
const feature = '00ff'
const Upgrade = z.object({ type: z.union([z.literal(0), z.literal(10)]), url: z.url(), md5: z.string().regex(/^[0-9a-f]{32}$/iu), timeoutSec: z.number().int().min(1).max(3600).optional(), extra: z.looseObject({ kind: z.string().optional() }).optional() })

/** control: restart, open, reset, take a picture; fingers are not built in. */
export function control(data: unknown): { answer: Answer; effect: Effect } {
  const sent = asObject(data)
  const extra = asObject(sent.extra)
  if (extra.weComStatus === 0 || extra.weComStatus === 1) return { answer: done({ status: extra.weComStatus, navigated: null }), effect: 'none' }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return { answer: refused(batch_errors.control), effect: 'none' }
  const { command } = sent
  if (typeof command !== 'number' || !Number.isInteger(command)) return { answer: refused(batch_errors.control_integer), effect: 'none' }
  if (command === restart) return { answer: done(), effect: 'restart' }
  if (command === open) return { answer: done(), effect: 'open' }
  if (command === reset) return { answer: done(), effect: 'reset' }
  if (command === capture) return { answer: done(captured(extra)), effect: 'none' }
  return { answer: refused(command === finger ? batch_errors.no_finger : controlText(command)), effect: 'none' }
}

function captured({ keyId, type }: Record<string, unknown>): Record<string, unknown> {
  return { ...(keyId === undefined ? {} : { keyId }), type: type ?? 0, ...(type === feature_alone ? {} : { faceBase64: picture }), ...(type === picture_alone ? {} : { featureBase64: feature }) }
}

/** upgradeFirmware: what is asked for is fetched by whoever has a way to packages; a system package restarts the device, advertisements do not. */
export function upgrade(data: unknown): { answer: Answer; effect: Effect; wanted?: Wanted } {
  const read = Upgrade.safeParse(data).data
  if (!read || (read.type === 10 && read.extra?.kind !== 'advertisement')) return { answer: refused('升级参数无效'), effect: 'none' }
  return { answer: done(), effect: 'none', wanted: { url: read.url, md5: read.md5, is_system: read.type === 0 } }
}
