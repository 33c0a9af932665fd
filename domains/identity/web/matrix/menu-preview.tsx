import { roleApi } from '@campus/identity/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Empty } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { CodeChange } from './choice.ts'

const pause_ms = 400

/** 预览菜单: the sidebar as this role would see it with what is chosen now; nothing is saved by looking. */
export function MenuPreview({ role_id, change }: { role_id: string; change: CodeChange }): ReactNode {
  const [open, setOpen] = useState(false)
  const settled = useSettled(JSON.stringify(change))
  const query = useQuery({
    queryKey: [roleApi.preview.call, role_id, settled],
    queryFn: ({ signal }) => call(roleApi.preview, { role_id, ...change }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    enabled: open,
    gcTime: 0,
  })
  return (
    <section className="matrix-card" aria-label="预览菜单">
      <div className="matrix-card-head">
        <h3>预览菜单</h3>
        <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? '收起' : '以角色预览'}</Button>
      </div>
      {!open && <p className="role-small">看看该角色登录后左侧有哪些菜单，包含尚未保存的修改</p>}
      {open && !query.data && <PartState query={query} rows={4} />}
      {open && query.data && (
        <nav className="matrix-menu" aria-label="该角色的菜单" aria-busy={query.isFetching}>
          {query.data.menu.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有任何菜单：未配置功能模块" />}
          <ul>
            {query.data.menu.map(group => (
              <li key={group.id}>
                <b>{group.show_name}</b>
                <ul>{group.children.map(page => <li key={page.id}>{page.show_name}</li>)}</ul>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </section>
  )
}

/** The text once the choosing has paused. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(text), pause_ms)
    return () => window.clearTimeout(timer)
  }, [text])
  return settled
}
