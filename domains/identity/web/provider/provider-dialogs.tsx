import { providerApi } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderRow } from '@campus/identity/contract'
import { call, confirmDanger, toast } from '@kit/web'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import type { ReactNode } from 'react'
import type { Recheck } from '../ports.ts'

const AddDialog = lazy(() => import('./add-dialog.tsx').then(part => ({ default: part.AddDialog })))
const SettingsDialog = lazy(() => import('./settings-dialog.tsx').then(part => ({ default: part.SettingsDialog })))
const BoundDrawer = lazy(() => import('./bound-drawer.tsx').then(part => ({ default: part.BoundDrawer })))
const TestDialog = lazy(() => import('./test-dialog.tsx').then(part => ({ default: part.TestDialog })))

/** What is open over the list. */
export type Opened = { view: 'add'; adapters: readonly ProviderAdapter[]; taken: readonly ProviderRow[] } | { view: 'edit' | 'bound' | 'test' | 'remove'; row: ProviderRow } | null
type Props = { opened: Opened; recheck: Recheck; close: () => void; refresh: () => Promise<unknown> }

/** The dialogs of the tab; after a change the list is read again. */
export function ProviderDialogs({ opened, recheck, close, refresh }: Props): ReactNode {
  const saved = async () => {
    close()
    await refresh()
  }
  return (
    <Suspense>
      {opened?.view === 'add' && <AddDialog adapters={opened.adapters} taken={opened.taken} recheck={recheck} onClose={close} onSaved={saved} />}
      {opened?.view === 'edit' && <SettingsDialog row={opened.row} recheck={recheck} onClose={close} onSaved={saved} />}
      {opened?.view === 'bound' && <BoundDrawer row={opened.row} onClose={close} onChanged={refresh} />}
      {opened?.view === 'test' && <TestDialog row={opened.row} onClose={close} />}
      {opened?.view === 'remove' && <Removal row={opened.row} onClose={close} onRemoved={saved} />}
    </Suspense>
  )
}

/** A question, then gone; what people have bound goes with the last line of an adapter. */
function Removal({ row, onClose, onRemoved }: { row: ProviderRow; onClose: () => void; onRemoved: () => Promise<void> }): ReactNode {
  const ask = useEffectEvent(async () => {
    const touches = row.bound > 0 ? `设置和密钥一并删除；若这是该来源的最后一种方式，${row.bound}人的绑定也会删除，他们改用账号密码登录` : '设置和密钥一并删除，不能恢复'
    if (!(await confirmDanger({ title: `确定删除${row.label}吗？`, touches, ok: '删除' }))) return onClose()
    const { shape, adapter, row_version } = row
    const gone = await call(providerApi.remove, { shape, adapter, row_version }).catch(() => null)
    if (gone) toast.success(gone.unbound > 0 ? `已删除，${gone.unbound}人解除绑定` : '删除成功!')
    await onRemoved()
  })
  useEffect(() => void ask(), [])
  return null
}
