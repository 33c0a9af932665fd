import type { App } from '@kit/server/http'
import { z } from 'zod'
import { masked } from './adapter.ts'
import type { Adapter, Line, TripDesk } from './adapter.ts'
import { ProviderFault } from './fault.ts'
import { askProvider, readAs } from './outbound.ts'

/** The fixed addresses of WeChat Work (developer.work.weixin.qq.com): calls, sign-in inside its app, sign-in by scanning. */
const fixed = { calls: 'https://qyapi.weixin.qq.com', inside: 'https://open.weixin.qq.com', scan: 'https://login.work.weixin.qq.com' } as const

const Token = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() })
const User = z.object({ userid: z.string().min(1).max(64), user_ticket: z.string().optional() })
const Detail = z.object({ mobile: z.string().optional() })

/** What the error numbers that an administrator can do something about mean. */
const known_errors: Readonly<Record<number, string>> = {
  40001: '应用Secret不正确',
  40013: '企业ID不正确',
  40029: '登录凭证无效或已使用',
  42003: '登录凭证已过期',
  50001: '回调地址的域名不在应用的可信域名中',
  60020: '服务器的出口IP不在应用的企业可信IP中',
}
const token_errors = [40014, 42001]
const early_ms = 60_000

type Kept = { token: string; until: number }
const tokens = new WeakMap<App, Map<string, Kept>>()

/** WeChat Work: sign-in inside its app, or by scanning; who it is by the token of the corporation at auth/getuserinfo. */
export const wecom: Adapter = {
  async start({ app, device_label }, { settings, callback, wants_phone }, state) {
    const { corp_id = '', agent_id = '', entry } = settings
    const is_inside = entry === 'web' || (entry === 'both' && device_label.startsWith('微信'))
    const common = { appid: corp_id, agentid: agent_id, redirect_uri: callback, state }
    if (!is_inside) return addressOf(app, 'scan', 'wwlogin/sso/login', { login_type: 'CorpApp', ...common })
    const scope = wants_phone ? 'snsapi_privateinfo' : 'snsapi_base'
    return `${addressOf(app, 'inside', 'connect/oauth2/authorize', { ...common, response_type: 'code', scope })}#wechat_redirect`
  },

  async exchange(desk, line, { code }) {
    const { corp_id = '' } = line.settings
    const found = await withToken(desk, line, token =>
      desk.trip.step('查询登录人员', async () => readAs(User, await asked(desk.app, 'cgi-bin/auth/getuserinfo', { access_token: token, code }), '登录人不是本企业成员'), user => `企业微信账号 ${masked(user.userid)}`),
    )
    const phone = line.wants_phone ? await mobileOf(desk, line, found.user_ticket) : undefined
    return { external_id: `${corp_id}|${found.userid}`, user_no: found.userid, ...(phone ? { phone } : {}) }
  },
}

/** Only the app itself hands out a ticket for details; by scanning there is none. */
async function mobileOf(desk: TripDesk, line: Line, user_ticket: string | undefined): Promise<string | undefined> {
  if (user_ticket === undefined) {
    desk.trip.note('读取手机号', false, '扫码登录不提供手机号')
    return undefined
  }
  const read = (token: string) => asked(desk.app, 'cgi-bin/auth/getuserdetail', { access_token: token }, JSON.stringify({ user_ticket }))
  return (await desk.trip.step('读取手机号', async () => readAs(Detail, await withToken(desk, line, read), '企业微信没有返回手机号'), ({ mobile }) => (mobile ? masked(mobile) : '未提供'))).mobile
}

/** Runs with the token of the corporation; one that the other side has forgotten is asked for anew once. */
async function withToken<T>(desk: TripDesk, line: Line, run: (token: string) => Promise<T>): Promise<T> {
  try {
    return await run(await tokenOf(desk, line))
  } catch (error) {
    if (!(error instanceof StaleToken)) throw error
    keptOf(desk.app).delete(keyOf(line))
    return run(await tokenOf(desk, line))
  }
}

async function tokenOf(desk: TripDesk, line: Line): Promise<string> {
  const kept = keptOf(desk.app).get(keyOf(line))
  if (kept && kept.until > desk.now.getTime()) return kept.token
  const given = await desk.trip.step('获取接口凭证', async () => readAs(Token, await asked(desk.app, 'cgi-bin/gettoken', { corpid: line.settings.corp_id ?? '', corpsecret: line.secret }), '企业微信没有返回接口凭证'))
  keptOf(desk.app).set(keyOf(line), { token: given.access_token, until: desk.now.getTime() + given.expires_in * 1000 - early_ms })
  return given.access_token
}

function keptOf(app: App): Map<string, Kept> {
  const kept = tokens.get(app) ?? new Map<string, Kept>()
  tokens.set(app, kept)
  return kept
}

/** Another secret is another token: a mistyped one must not live on. */
function keyOf({ school_id, settings, secret }: Line): string {
  return `${school_id}|${settings.corp_id}|${secret}`
}

class StaleToken extends ProviderFault {}

const Status = z.object({ errcode: z.number().default(0) })

async function asked(app: App, path: string, query: Record<string, string>, body?: string): Promise<Record<string, unknown>> {
  const posted = body === undefined ? {} : { method: 'POST' as const, headers: { 'content-type': 'application/json' }, body }
  const answer = await askProvider(addressOf(app, 'calls', path, query), posted)
  const { errcode } = readAs(Status, answer.body, '企业微信的返回无法识别')
  if (errcode === 0) return answer.body
  if (token_errors.includes(errcode)) throw new StaleToken('refused', '接口凭证已失效')
  throw new ProviderFault('refused', `${known_errors[errcode] ?? '企业微信拒绝了请求'}（${errcode}）`)
}

function addressOf({ config }: App, host: keyof typeof fixed, path: string, query: Record<string, string>): string {
  return `${config.CAMPUS_WECOM_URL.replace(/\/$/, '') || fixed[host]}/${path}?${new URLSearchParams(query)}`
}
