import { accountApi } from '@campus/identity/contract'
import type { AccountConcern, ConcernRow } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { AppDrawer, call, confirmDanger, useSaving } from '@kit/web'
import { PartState } from '@kit/web/part'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Pagination } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ConcernTable } from './concern-table.tsx'
import { concern_words } from './gauges.tsx'
import { IssuedDialog } from './issued-dialog.tsx'

const SlipsDialog = lazy(() => import('./slips-dialog.tsx').then(part => ({ default: part.SlipsDialog })))

type Issued = Reply<typeof accountApi.reset>
const page_size = 20

/** The people behind one gauge, 20 a page, with what can be done for each. */
export function ConcernDrawer({ concern, onClose }: { concern: AccountConcern; onClose: () => void }): ReactNode {
  const [page_index, setPage] = useState(1)
  const [issued, setIssued] = useState<Issued | null>(null)
  const [slips_for, setSlipsFor] = useState<string[] | null>(null)
  const { busy, refused, run } = useSaving()
  const client = useQueryClient()
  const query = useQuery({
    queryKey: [accountApi.concerns.call, concern, page_index],
    queryFn: ({ signal }) => call(accountApi.concerns, { concern, page_index, page_size }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })
  const refresh = () => Promise.all([accountApi.concerns, accountApi.gauges].map(endpoint => client.invalidateQueries({ queryKey: [endpoint.call] })))
  const act = async (row: ConcernRow) => {
    const done = concern === 'locked' ? await run(() => call(accountApi.unlock, { user_id: row.user_id }, { quiet: true }), '已解锁') : await reset(row)
    if (done) await refresh()
  }
  const reset = async ({ user_id, user_name }: ConcernRow) => {
    if (!(await confirmDanger({ title: `确定重置${user_name}的密码吗？`, touches: '原密码立即失效，该账号在所有设备上退出登录，下次登录须修改密码', ok: '重置密码' }))) return false
    return run(async () => setIssued(await call(accountApi.reset, { user_id }, { quiet: true })))
  }
  const { data } = query
  const mine = concern === 'locked' ? [] : (data?.list ?? []).filter(row => row.can_act).map(row => row.user_id)
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / page_size))
  if (page_index > last && data && !query.isPlaceholderData) setPage(last)
  return (
    <AppDrawer size={860} title={concern_words[concern][0]} onClose={onClose} extra={mine.length > 0 && <Button onClick={() => setSlipsFor(mine)}>{`为本页${mine.length}人生成密码条`}</Button>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="pwd-refused" />}
      {!data && <PartState query={query} />}
      {data?.total === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有需要处理的账号" />}
      {data && data.total > 0 && <ConcernTable concern={concern} rows={data.list} busy={busy} act={row => void act(row)} />}
      {data && data.total > page_size && <Pagination className="pwd-pages" size="small" current={page_index} pageSize={page_size} total={data.total} showSizeChanger={false} onChange={setPage} />}
      <Suspense>{slips_for && <SlipsDialog user_ids={slips_for} onClose={() => setSlipsFor(null)} onDone={() => void refresh()} />}</Suspense>
      <IssuedDialog issued={issued} onClose={() => setIssued(null)} />
    </AppDrawer>
  )
}
