import { startTestApp } from '@apps/server/testing'
import type { TestOptions } from '@apps/server/testing'
import { providerLoginApi } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderShape } from '@campus/identity/contract'
import type { IdentityHandle } from '../db.ts'
import { own } from './person.ts'
import { dataOf } from './wire.ts'
import type { Answer } from './wire.ts'

export const school_id = 1001

type Setting = { enabled?: boolean; settings?: Record<string, string>; match_by?: 'external_bind' | 'user_no' | 'phone'; at?: number }

/** A server, and what tests of login providers ask of it. */
export async function openProviderDesk(options: TestOptions = {}) {
  const app = await startTestApp(options)
  const inSchool = <R>(fn: (db: IdentityHandle) => Promise<R>, at = school_id) => own(app.running.database, at, fn)
  const line = async (shape: ProviderShape, adapter: ProviderAdapter, { enabled = true, settings = {}, match_by = 'external_bind', at = school_id }: Setting = {}) => {
    const row = { school_id: at, shape, adapter, enabled, settings: JSON.stringify(settings), match_by, label: '登录', icon: 'key' }
    const { school_id: _of, ...change } = row
    await inSchool(db => db.insertInto('login_provider').values(row).onConflict(oc => oc.columns(['school_id', 'shape', 'adapter']).doUpdateSet(change)).execute(), at)
  }
  /** goes out as a browser does: its cookie, where it was sent, the state it has to bring back */
  const goOut = async (shape: ProviderShape, adapter?: ProviderAdapter, cookie = '') => {
    const answer = await app.call(providerLoginApi.start, { school_id, shape, adapter }, { headers: { cookie } })
    const location = new URL(answer.headers.get('location') ?? '', app.url)
    return { answer, location, state: location.searchParams.get('state') ?? '', cookie: cookieIn(answer) || cookie }
  }
  return { app, inSchool, line, goOut }
}
export type ProviderDesk = Awaited<ReturnType<typeof openProviderDesk>>

type Back = { shape: ProviderShape; code: string; state: string; cookie: string; at?: number }

/** Comes back with the parameters of a shape. */
export function comeBack({ app }: Pick<ProviderDesk, 'app'>, { shape, code, state, cookie, at = school_id }: Back): Promise<Answer> {
  const options = { headers: { cookie } }
  if (shape === 'A') return app.call(providerLoginApi.autoLogin, { wxcode: code, state, auto_login: '1' }, options)
  if (shape === 'B') return app.call(providerLoginApi.weixiao, { appid: 'x', code, state: state || undefined }, options)
  if (shape === 'C') return app.call(providerLoginApi.third, { code, type: 'x', token: state }, options)
  return app.call(providerLoginApi.form, { code, school_id: at }, options)
}

/** The reply of an automatic sign-in that went well. */
export function letIn(answer: Answer) {
  if (answer.body.code !== 600) throw new Error(`answered ${answer.status} ${answer.body.msg}`)
  return dataOf(providerLoginApi.autoLogin, answer)
}

function cookieIn(answer: Answer): string {
  return answer.headers.getSetCookie().find(line => line.startsWith('campus_provider='))?.split(';')[0] ?? ''
}
