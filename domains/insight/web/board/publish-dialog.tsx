import { dashboardApi } from '@campus/insight/contract'
import type { PublishedLayout } from '@campus/insight/contract'
import type { Placed } from '@kit/contract'
import { AppModal, call, confirmDanger, instantText, sentenceOf, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Select, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const route = 3
const everybody = 'school'

/** 发布布局: what stands on the board becomes the layout of a role or of the school; below, what is published already. */
export function PublishDialog({ items, onClose, onDone }: { items: readonly Placed[]; onClose: () => void; onDone: () => void }): ReactNode {
  const { busy, refused, run } = useSaving()
  const [target, setTarget] = useState<string>()
  const { data, error, refetch } = useQuery({ queryKey: [dashboardApi.published.call, route], queryFn: ({ signal }) => call(dashboardApi.published, { route: '3' }, { signal, quiet: true }) })
  const change = async (work: () => Promise<unknown>, done: string) => {
    if (!(await run(work, done))) return
    await refetch()
    onDone()
  }
  const publish = () => {
    if (target === undefined) return
    const to = target === everybody ? { target: 1 as const, target_id: null } : { target: 2 as const, target_id: target }
    void change(() => call(dashboardApi.publish, { route, ...to, items: [...items] }, { quiet: true }), '发布成功')
  }
  const withdraw = async ({ layout_id, target_name }: PublishedLayout) => {
    const sure = await confirmDanger({ title: `确定撤回发布给“${target_name}”的布局吗？`, touches: '未自行调整过的人员将看到全校布局或系统默认布局', ok: '撤回' })
    if (sure) await change(() => call(dashboardApi.withdraw, { layout_id }, { quiet: true }), '已撤回')
  }
  const options = [{ value: everybody, label: '全校' }, ...(data?.roles ?? []).map(({ role_id, name }) => ({ value: role_id, label: name }))]
  return (
    <AppModal open width={640} title="发布布局" okText="发布" confirmLoading={busy} okButtonProps={{ disabled: target === undefined }} onOk={publish} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="insight-hint">{`将当前看板的${items.length}个组件及其位置发布给所选对象。没有权限的组件不会显示；自行调整过布局的人员不受影响。`}</p>
      <Select className="insight-target" aria-label="发布给" placeholder="请选择发布给全校或某个角色" showSearch={{ optionFilterProp: 'label' }} options={options} value={target} onChange={setTarget} loading={!data && !error} />
      <h3 className="insight-published-head">已发布的布局</h3>
      {error && <Alert type="error" title={sentenceOf(error)} action={<Button size="small" onClick={() => void refetch()}>重试</Button>} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 2 }} />}
      {data && <Published list={data.list} onWithdraw={layout => void withdraw(layout)} />}
    </AppModal>
  )
}

function Published({ list, onWithdraw }: { list: readonly PublishedLayout[]; onWithdraw: (layout: PublishedLayout) => void }): ReactNode {
  if (list.length === 0) return <p className="insight-hint">还没有发布过布局，所有人看到的是系统默认布局</p>
  return (
    <ul className="insight-published">
      {list.map(layout => (
        <li key={layout.layout_id}>
          <b>{layout.target_name}</b>
          <span>{`${layout.cards}个组件　${layout.by}于${instantText(layout.at)}发布`}</span>
          <Button size="small" type="link" danger aria-label={`撤回发布给${layout.target_name}的布局`} onClick={() => onWithdraw(layout)}>撤回</Button>
        </li>
      ))}
    </ul>
  )
}
