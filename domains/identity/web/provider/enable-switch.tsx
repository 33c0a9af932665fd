import { providerApi } from '@campus/identity/contract'
import type { ProviderRow } from '@campus/identity/contract'
import { call } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Switch } from 'antd'
import type { ReactNode } from 'react'

/** Turns a way on or off at once; what cannot work is not turned on, and says why beside it. */
export function EnableSwitch({ row, name, refresh }: { row: ProviderRow; name: string; refresh: () => Promise<unknown> }): ReactNode {
  const { busy, act } = useAct([], refresh)
  const { shape, adapter, label, icon, match_by, settings, secret, row_version } = row
  const turn = (enabled: boolean) => act(() => call(providerApi.update, { shape, adapter, label, icon, match_by, settings, secret, row_version, enabled }, { quiet: true }), {
    ask: !enabled && { title: `确定停用${label}吗？`, touches: '登录页不再显示该方式；已登录的人员不受影响，绑定关系保留', ok: '停用' },
    done: enabled ? '已启用，登录页立即显示' : '已停用',
  })
  return <Switch size="small" checked={row.enabled} loading={busy} disabled={!row.enabled && row.problem !== null} aria-label={`启用 ${name}`} onChange={checked => void turn(checked)} />
}
