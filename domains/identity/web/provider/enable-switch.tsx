import { providerApi } from '@campus/identity/contract'
import type { ProviderRow } from '@campus/identity/contract'
import { call, confirmDanger, toast } from '@kit/web'
import { Switch } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

/** Turns a way on or off at once; what cannot work is not turned on, and says why beside it. */
export function EnableSwitch({ row, name, refresh }: { row: ProviderRow; name: string; refresh: () => Promise<unknown> }): ReactNode {
  const [busy, setBusy] = useState(false)
  const turn = async (enabled: boolean) => {
    const question = { title: `确定停用${row.label}吗？`, touches: '登录页不再显示该方式；已登录的人员不受影响，绑定关系保留', ok: '停用' }
    if (!enabled && !(await confirmDanger(question))) return
    setBusy(true)
    const { shape, adapter, label, icon, match_by, settings, secret, row_version } = row
    const done = await call(providerApi.update, { shape, adapter, label, icon, match_by, settings, secret, row_version, enabled }).then(() => true, () => false)
    if (done) toast.success(enabled ? '已启用，登录页立即显示' : '已停用')
    await refresh()
    setBusy(false)
  }
  return <Switch size="small" checked={row.enabled} loading={busy} disabled={!row.enabled && row.problem !== null} aria-label={`启用 ${name}`} onChange={checked => void turn(checked)} />
}
