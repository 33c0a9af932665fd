import { offerApi } from '@campus/teaching/contract'
import type { Offer, TaskRow } from '@campus/teaching/contract'
import { AppDrawer, call, Can, useCan } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Progress, Table, Tag } from 'antd'
import type { ReactNode } from 'react'
import { combo_kind, offerTitle, slotsText, states } from './elective-words.ts'
import { OfferDialog } from './offer-dialog.tsx'
import { useEvery } from '../use-every.ts'

const combo_seats = 60

/** 选项: what a task offers, with bars that fill while pupils choose. */
export function OffersDrawer({ task, onClose, onDone }: { task: TaskRow; onClose: () => void; onDone: () => void }): ReactNode {
  const query = useCall(offerApi.list, { task_id: task.id })
  const { open, close, dialog } = useDialog()
  const written = () => {
    void query.refetch()
    onDone()
  }
  const { busy, act } = useAct([], written)
  const may_edit = useCan(offerApi.update)
  useEvery(task.state === states.open, () => void query.refetch())
  const edit = (offer: Offer | null) => open(<OfferDialog task={task} offer={offer} onClose={close} onDone={written} />)
  const remove = (offer: Offer) => act(() => call(offerApi.remove, { id: offer.id }, { quiet: true }),
    { ask: { title: `删除“${offer.title}”？`, touches: '没有学生选择过的选项才能删除。', ok: '删除' }, done: '删除成功!' })
  const combos = () => act(() => call(offerApi.combos, { task_id: task.id, capacity: combo_seats }, { quiet: true }),
    { done: ({ made }) => (made === 0 ? '12种组合都已存在' : `已生成 ${made}种组合`) })
  const may_add = task.state === states.draft || task.state === states.coming || task.state === states.open
  return (
    <AppDrawer size={1040} title={`选项：${task.name}`} onClose={onClose}>
      <div className="teaching-head">
        <span>满额的选项不再接受选择{task.waitlist ? '，其后进入候补' : ''}。</span>
        <span className="timetable-acts">
          {task.kind === combo_kind && task.state === states.draft && <Can code={offerApi.combos}><Button loading={busy}
            onClick={() => void combos()}>生成12种组合</Button></Can>}
          {may_add && <Can code={offerApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />}
            onClick={() => edit(null)}>新增选项</Button></Can>}
        </span>
      </div>
      <Loaded query={query} rows={8} empty="还没有选项：点“新增选项”添加课程、教师、地点和名额">
        {({ list }) => <Table<Offer> className="elective-offers" size="small" rowKey="id"
          columns={columnsOf(task, may_edit ? { edit, remove } : null)} dataSource={list} pagination={false} scroll={{ x: 960 }} />}
      </Loaded>
      {dialog}
    </AppDrawer>
  )
}

type Acts = { edit: (offer: Offer) => void; remove: (offer: Offer) => unknown }

function columnsOf(task: TaskRow, acts: Acts | null) {
  return [
    { key: 'title', title: '名称', width: 176,
      render: (_: unknown, row: Offer) => <>{offerTitle(row)}{row.sex !== null
      && <Tag>{row.sex === '1' ? '限男生' : '限女生'}</Tag>}{row.group_no !== null && <Tag>互斥组{row.group_no}</Tag>}</> },
    { key: 'teachers', title: '教师', width: 120, render: (_: unknown, row: Offer) => row.teachers.map(one => one.user_name).join('、') },
    { key: 'place', title: '地点', width: 144, dataIndex: 'place_name' },
    { key: 'slots', title: '时段', width: 168, render: (_: unknown, row: Offer) => slotsText(row) },
    { key: 'seats', title: '已选/名额', width: 200, render: (_: unknown, row: Offer) => <SeatBar taken={row.taken} capacity={row.capacity} /> },
    { key: 'more', title: task.mode === 2 ? '志愿' : '候补', width: 72, align: 'right' as const,
      render: (_: unknown, row: Offer) => (task.mode === 2 && task.drawn_at === null ? row.wished : row.waitlisted) },
    ...(acts === null ? [] : [{
      key: 'acts', title: '操作', width: 112, fixed: 'right' as const,
      render: (_: unknown, row: Offer) => (
        <>
          <Button type="link" size="small" aria-label={`编辑 ${row.title}`} onClick={() => acts.edit(row)}>编辑</Button>
          <Button type="link" size="small" danger aria-label={`删除 ${row.title}`} disabled={row.taken > 0}
            onClick={() => void acts.remove(row)}>删除</Button>
        </>
      ),
    }]),
  ]
}

/** How full an offer is, as a bar and in figures. */
export function SeatBar({ taken, capacity }: { taken: number; capacity: number }): ReactNode {
  const percent = capacity === 0 ? 0 : Math.round((taken / capacity) * 100)
  return <Progress className="elective-bar" percent={percent} size="small" status={percent >= 100 ? 'exception' : 'normal'}
    format={() => `${taken}/${capacity}`} aria-label={`已选${taken}，名额${capacity}`} />
}
