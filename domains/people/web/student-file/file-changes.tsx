import { change_state_names, changeApi } from '@campus/people/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton, Tag } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { sentenceOf } from '../refused.ts'
import { kindName, state_colors } from '../change/change-words.ts'

const ReceiptDrawer = lazy(() => import('../change/receipt-drawer.tsx').then(part => ({ default: part.ReceiptDrawer })))

/** The commands over a pupil, newest first; behind each its receipt, where it can be taken back. */
export function FileChanges({ user_id }: { user_id: string }): ReactNode {
  const allowed = useCan(changeApi.page)
  const [command_id, open] = useState<string | null>(null)
  const query = useQuery({
    queryKey: [changeApi.page.call, { user_id }],
    queryFn: ({ signal }) => call(changeApi.page, { user_id }, { signal, quiet: true }),
    enabled: allowed,
  })
  if (!allowed || query.data?.total === 0) return null
  return (
    <section aria-label="变更">
      <h3>变更</h3>
      {query.error && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {query.isPending && <Skeleton active paragraph={{ rows: 1 }} />}
      <ul className="file-states">
        {query.data?.list.map(row => (
          <li key={row.command_id}>
            <span className="kit-number">{row.effective_on}</span> {kindName(row.kind)} <Tag color={state_colors[row.state]}>{change_state_names[row.state]}</Tag>
            {row.reason}
            <Button type="link" size="small" aria-label={`查看回执 ${kindName(row.kind)} ${row.effective_on}`} onClick={() => open(row.command_id)}>
              回执
            </Button>
          </li>
        ))}
      </ul>
      <Suspense>{command_id !== null && <ReceiptDrawer key={command_id} command_id={command_id} onClose={() => open(null)} />}</Suspense>
    </section>
  )
}
