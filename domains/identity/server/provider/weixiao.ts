import type { App } from '@kit/server/http'
import { z } from 'zod'
import { masked } from './adapter.ts'
import type { Adapter } from './adapter.ts'
import { ProviderFault } from './fault.ts'
import { askProvider, readAs } from './outbound.ts'

/** The fixed address of 腾讯微校's open platform. */
const fixed = 'https://open.wecard.qq.com'

const Token = z.object({ access_token: z.string().min(1) })
const User = z.object({ ocode: z.string().min(1), card_number: z.string().min(1).max(60), telephone: z.string().optional() })

/** 微校: comes back with wxcode and state; token at connect/oauth2/token, then the card number at get-user-info. */
export const weixiao: Adapter = {
  async start({ app }, { settings, callback }, state) {
    const { app_key = '', ocode = '' } = settings
    const query = new URLSearchParams({ app_key, response_type: 'code', scope: 'snsapi_userinfo', ocode, redirect_uri: callback, state })
    return `${hostOf(app)}/connect/oauth2/authorize?${query}`
  },

  async exchange({ app, trip }, { settings, secret, callback }, { code }) {
    const { app_key = '', ocode = '' } = settings
    const wanted = { wxcode: code, app_key, app_secret: secret, grant_type: 'authorization_code', redirect_uri: callback }
    const { access_token } = await trip.step('换取访问凭证', () => asked(app, 'connect/oauth2/token', wanted, Token, '登录凭证无效，或AppKey、AppSecret不正确'))
    const user = await trip.step('查询登录人员', () => asked(app, 'connect/oauth/get-user-info', { access_token }, User, '微校没有返回人员编号'), found => `卡号 ${masked(found.card_number)}`)
    if (user.ocode !== ocode) {
      trip.note('核对学校编码', false, '登录人属于另一所学校')
      throw new ProviderFault('refused', '登录人属于另一所学校')
    }
    return { external_id: `${ocode}|${user.card_number}`, user_no: user.card_number, ...(user.telephone ? { phone: user.telephone } : {}) }
  },
}

async function asked<T extends z.ZodType>(app: App, path: string, body: Record<string, string>, shape: T, wrong: string): Promise<z.output<T>> {
  const answer = await askProvider(`${hostOf(app)}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  if (answer.status >= 400) throw new ProviderFault('refused', wrong)
  return readAs(shape, answer.body, wrong)
}

function hostOf({ config }: App): string {
  return config.CAMPUS_WEIXIAO_URL.replace(/\/$/, '') || fixed
}
