import { providerLoginApi } from '@campus/identity/contract'
import { call, confirmDanger, instantText, toast } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'

/** What the person has bound to his account, under his devices; each can be taken back. Nothing stands there when there is none. */
export function OwnBinds(): ReactNode {
  const query = useQuery({ queryKey: [providerLoginApi.mine.call], queryFn: ({ signal }) => call(providerLoginApi.mine, {}, { signal, quiet: true }) })
  const list = query.data?.list ?? []
  if (list.length === 0) return null
  const unbind = async ({ adapter, label }: (typeof list)[number]) => {
    if (!(await confirmDanger({ title: `确定解除与${label}的绑定吗？`, touches: `之后不能再用${label}登录您的账号，可重新绑定`, ok: '解绑' }))) return
    await call(providerLoginApi.unbind, { adapter }).then(() => toast.success('已解绑'), () => undefined)
    await query.refetch()
  }
  return (
    <section className="own-binds" aria-label="已绑定的登录方式">
      <h4>已绑定的登录方式</h4>
      <ul>
        {list.map(bind => (
          <li key={bind.adapter}>
            <b>{bind.label}</b>
            <span className="kit-number">{`${instantText(bind.bound_at)} 绑定`}</span>
            <Button type="link" size="small" danger aria-label={`解绑 ${bind.label}`} onClick={() => void unbind(bind)}>解绑</Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
