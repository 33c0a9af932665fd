import { content_state, contentApi, contentList, deliveryText } from '@campus/publishing/contract'
import type { ContentRow } from '@campus/publishing/contract'
import { AppDrawer, call, Can, fieldsOf, Filters, instantText, ListPage, Table, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Segmented, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import '../publishing.css'
import './board.css'
import { ContentWeek } from './content-week.tsx'
import { ZoneTab } from './zone-tab.tsx'
import { DeliveryTable } from './delivery-table.tsx'

const ContentDialog = lazyDialog(() => import('./content-dialog.tsx').then(part => part.ContentDialog))
const ReasonDialog = lazyDialog(() => import('../post/publish-dialog.tsx').then(part => part.ReasonDialog))
const tags: Readonly<Record<number, string>> = { 0: 'default', 1: 'green', 2: 'default', 3: 'red' }
const fields = fieldsOf(contentList, {
  title: { default_action: true },
  state: { cell: row => <Tag color={tags[row.state] ?? 'default'}>{['草稿', '生效', '已结束', '已下架'][row.state]}</Tag> },
})
const views = [
  { value: 'list', label: '内容列表' },
  { value: 'week', label: '本周时间轴' },
  { value: 'zones', label: '区域设置' },
]
const { draft, live, taken } = content_state

/** 班牌内容设置: what is shown where and when, and how far it has come (chapter 60 §5). */
export default function Contents(): ReactNode {
  const list = useResourceList(contentApi.list, fields)
  const [view, setView] = useState('list')
  const { open, close, dialog } = useDialog()
  const { act } = useAct([contentApi.week], () => {
    list.select([])
    return list.refresh()
  })
  const edit = (content: ContentRow | null, is_copy = false) =>
    open(<ContentDialog content={content} is_copy={is_copy} onClose={close} onDone={() => void list.refresh()} />)
  const publish = (ids: string[]) =>
    act(() => call(contentApi.publish, { ids }, { quiet: true }), { done: reply => `已发布到${reply.boards}块班牌，播放以班牌回执为准` })
  const takeDown = (rows: readonly ContentRow[]) =>
    open(
      <ReasonDialog
        title={`下架${rows.length}条内容`}
        about="下架后不可恢复，需要再次显示时请复制。离线班牌恢复连接后先停播，在此之前可能仍在显示。"
        ok="下架"
        save={reason => call(contentApi.takedown, { ids: rows.map(row => row.id), reason }, { quiet: true })}
        onClose={close}
        onDone={() => void list.refresh()}
      />,
    )
  const look = (row: ContentRow) => open(<Delivery row={row} onClose={close} />)
  const remove = (row: ContentRow) =>
    act(() => call(contentApi.remove, { id: row.id }, { quiet: true }), {
      ask: { title: `删除草稿“${row.title}”？`, ok: '删除' },
      done: '已删除',
    })
  const chosen = list.rows.filter(row => list.selected.includes(row.id))
  const batch = (
    <Can code={contentApi.publish}>
      <Button type="primary" onClick={() => void publish(chosen.map(row => row.id))}>
        发布
      </Button>
      <Button danger onClick={() => takeDown(chosen)}>
        下架
      </Button>
    </Can>
  )
  const acts = (row: ContentRow) => (
    <>
      {row.state !== draft && (
        <Button type="link" size="small" aria-label={`送达 ${row.title}`} onClick={() => look(row)}>
          送达
        </Button>
      )}
      {row.state === draft && (
        <Can code={contentApi.publish}>
          <Button type="link" size="small" aria-label={`发布 ${row.title}`} onClick={() => void publish([row.id])}>
            发布
          </Button>
        </Can>
      )}
      {row.state !== taken && row.source_kind !== 6 && row.resource_id === null && (
        <Can code={contentApi.update}>
          <Button type="link" size="small" aria-label={`编辑 ${row.title}`} onClick={() => edit(row)}>
            编辑
          </Button>
        </Can>
      )}
      {row.state === taken && row.source_kind !== 6 && row.resource_id === null && (
        <Can code={contentApi.add}>
          <Button type="link" size="small" aria-label={`复制 ${row.title}`} onClick={() => edit(row, true)}>
            复制
          </Button>
        </Can>
      )}
      {row.state === live && (
        <Can code={contentApi.takedown}>
          <Button type="link" size="small" danger aria-label={`下架 ${row.title}`} onClick={() => takeDown([row])}>
            下架
          </Button>
        </Can>
      )}
      {row.state === draft && (
        <Can code={contentApi.remove}>
          <Button type="link" size="small" danger aria-label={`删除 ${row.title}`} onClick={() => void remove(row)}>
            删除
          </Button>
        </Can>
      )}
    </>
  )
  return (
    <ListPage
      of={list}
      batch={batch}
      head={<Segmented options={views} value={view} onChange={setView} />}
      filters={view === 'list' ? <Filters of={list} show={['keyword', 'source_kind', 'state']} /> : null}
      actions={
        <Can code={contentApi.add}>
          <Button type="primary" onClick={() => edit(null)}>
            新建内容
          </Button>
        </Can>
      }
    >
      {view === 'week' && <ContentWeek />}
      {view === 'zones' && <ZoneTab />}
      {view === 'list' && (
        <Table
          of={list}
          selectable
          show={['title', 'source_kind', 'targets', 'priority', 'rule_name', 'state', 'delivery']}
          more={['zone', 'valid_from', 'valid_to']}
          row={acts}
          row_width={200}
          empty="还没有班牌内容：点“新建内容”上传图片或填写文字，选好位置后发布"
        />
      )}
      {dialog}
    </ListPage>
  )
}

/** Who shows it, who has stopped, and who has not said so yet. */
function Delivery({ row, onClose }: { row: ContentRow; onClose: () => void }): ReactNode {
  const query = useCall(contentApi.delivery, { id: row.id, page_size: 300 })
  return (
    <AppDrawer size={760} title={`“${row.title}”的送达`} onClose={onClose}>
      <p>
        {deliveryText(row)}
        {row.take_reason !== null && ` · 下架原因：${row.take_reason}`}
        {row.valid_to !== null && ` · 结束时间 ${instantText(row.valid_to)}`}
      </p>
      <Loaded query={query} empty="还没有班牌收到">
        {({ list }) => <DeliveryTable rows={list} by="board" />}
      </Loaded>
    </AppDrawer>
  )
}
