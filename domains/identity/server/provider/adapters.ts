import { adapter_facts, checkSettings, provider_adapters } from '@campus/identity/contract'
import type { ProviderAdapter } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import type { Adapter, Line } from './adapter.ts'
import { isReachable } from './oidc-server.ts'
import { oidc } from './oidc.ts'
import { mayTest, testProvider } from './test-provider.ts'
import { wecom } from './wecom.ts'
import { weixiao } from './weixiao.ts'

/** Those that send people away and take them back; a one-time code is made here and needs no way. */
const travelling: Readonly<Partial<Record<ProviderAdapter, Adapter>>> = { wecom, weixiao, oidc, test: testProvider }

/** The adapter of a line, if people travel with it. */
export function adapterOf(adapter: ProviderAdapter): Adapter | undefined {
  return travelling[adapter]
}

/** What may be used in this environment: production never has the test provider. */
export function usableAdapters(app: Pick<App, 'config'>): ProviderAdapter[] {
  return provider_adapters.filter(adapter => adapter !== 'test' || mayTest(app))
}

/** Why a line cannot be used as it stands, for whoever sets it; null when it can. */
export function problemOf(app: Pick<App, 'config'>, { adapter, settings, secret, callback }: Line): string | null {
  const [wrong] = checkSettings(adapter, settings)
  if (wrong) return wrong.msg
  if (adapter_facts[adapter].secret?.required && secret === '') return `请填写${adapter_facts[adapter].secret.label}`
  if (adapter === 'oidc' && !isReachable(app, settings.issuer ?? '')) return '认证服务所在主机未放行，请联系平台管理员（CAMPUS_OUTSIDE_HOSTS）'
  return callback.startsWith('/') && adapter !== 'test' && adapter !== 'one_time_code' ? '平台尚未设置对外访问地址，请联系平台管理员（CAMPUS_PUBLIC_URL）' : null
}
