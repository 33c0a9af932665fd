import { randomBytes } from 'node:crypto'
import { miniErrors } from '@campus/identity/contract'
import type { SubAppCode } from '@campus/school/contract'
import { fail } from '@kit/contract'
import { mayCallHost } from '@kit/server/config'
import type { Pre } from '@kit/server/http'
import { z } from 'zod'
import { askProvider } from './provider/outbound.ts'
import { signOf } from './sub-app-link/link.ts'
import { linkSecret, openFor } from './sub-app.open.ts'

const good_codes = [0, 600, 200]

const PartnerAnswer = z.object({ code: z.number().optional(), msg: z.string().optional(), message: z.string().optional(), data: z.unknown().optional() })
const TokenData = z.union([z.string().min(1), z.object({ token: z.string().min(1) }).transform(({ token }) => token)])

/**
 * A token of the partner's own for the acting identity, fetched server to server.
 * @throws Refusal 403, 409 as for a link; 422 with the partner's sentence, or 系统异常，请稍后重试
 */
export async function thirdToken(pre: Pre, code: SubAppCode): Promise<{ token: string }> {
  const { me, open } = await openFor(pre, code)
  const { token_url, sign_mode } = open.setting
  // Schools type this address: without the operator's word nothing inside the network is called.
  if (token_url === null || !mayCallHost(pre.app.config, new URL(token_url).hostname)) throw fail(miniErrors.thirdToken)
  const facts = { user_no: me.user_no, timestamp: String(pre.now.getTime()), school_id: String(me.school_id), app: code, nonce: randomBytes(16).toString('base64url') }
  const sign = signOf(new Map(Object.entries(facts)), sign_mode, linkSecret(pre.app, open.setting, me.school_id, code))
  return { token: await askPartner(token_url, { ...facts, sign }) }
}

/**
 * Asks a partner for a token: signed facts as JSON, five seconds, no redirects.
 * @throws Refusal 422 thirdToken
 */
export async function askPartner(token_url: string, facts: Record<string, string>): Promise<string> {
  const answer = await post(token_url, facts)
  const token = TokenData.safeParse(answer?.data)
  const is_good = answer !== null && (answer.code === undefined || good_codes.includes(answer.code))
  if (is_good && token.success) return token.data
  throw fail({ ...miniErrors.thirdToken, msg: (is_good ? '' : sentenceOf(answer)) || miniErrors.thirdToken.msg })
}

function sentenceOf(answer: z.output<typeof PartnerAnswer> | null): string {
  return (answer?.msg || answer?.message || '').slice(0, 100)
}

async function post(url: string, facts: Record<string, string>): Promise<z.output<typeof PartnerAnswer> | null> {
  const answer = await askProvider(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(facts) }).catch(() => null)
  return PartnerAnswer.safeParse(answer?.body).data ?? null
}
