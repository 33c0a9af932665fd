import { boardList, classBoardApi, plan_states, templateApi } from '@campus/publishing/contract'
import type { BoardRow } from '@campus/publishing/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, useCan, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { PartState, useCall } from '@kit/web/part'
import { Alert, Badge, Button, Checkbox, Empty, Form, Input, InputNumber, Progress, Segmented, Select, Tag } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import '../publishing.css'
import './board.css'
import { PlayStat } from './play-stat.tsx'

const BoardDrawer = lazyDialog(() => import('./board-drawer.tsx').then(part => part.BoardDrawer))
const fields = fieldsOf(boardList, {})
const plan_tags = { 1: 'green', 2: 'orange', 3: 'default' } as const
const look_again_ms = 15_000
const short_percent = 90
const stoppedText = ({ stopped }: { stopped: number }) => (stopped === 0 ? '这些班牌没有插播' : `已停止${stopped}条插播，以班牌回执为准`)
const renewedText = ({ changed }: { changed: number }) => (changed > 0 ? `${changed}块班牌有新计划` : '计划没有变化')

const views = [
  { value: 'wall', label: '班牌墙' },
  { value: 'stat', label: '播放统计' },
]

/** 班牌管理: a wall of boards, drawn from what each of them reports, and what they have played (chapter 60 §5). */
export default function Boards(): ReactNode {
  const [view, setView] = useState('wall')
  const head = <Segmented className="brd-views" aria-label="班牌管理" options={views} value={view} onChange={setView} />
  if (view === 'wall') return <WallPage head={head} />
  return (
    <>
      {head}
      <PlayStat />
    </>
  )
}

function WallPage({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(classBoardApi.list, fields)
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => void list.refresh())
  const ids = list.selected.map(String)
  useEffect(() => {
    const timer = setInterval(() => void list.refresh(), look_again_ms)
    return () => clearInterval(timer)
  })
  const done = () => {
    list.select([])
    void list.refresh()
  }
  const look = (row: BoardRow) => open(<BoardDrawer row={row} onClose={close} onChanged={() => void list.refresh()} />)
  const choose = (row: BoardRow, is_on: boolean) =>
    list.select(is_on ? [...list.selected, row.device_id] : list.selected.filter(key => key !== row.device_id))
  const stop = () =>
    act(() => call(classBoardApi.urgent_stop, { device_ids: ids, reason: '在班牌管理中停止' }, { quiet: true }), { done: stoppedText })
  const renew = () => act(() => call(classBoardApi.refresh, { device_ids: ids }, { quiet: true }), { done: renewedText })
  const interrupt = () => open(<UrgentDialog ids={ids} onClose={close} onDone={done} />)
  const dress = () => open(<TemplateDialog ids={ids} onClose={close} onDone={done} />)
  const batch = (
    <>
      <Can code={classBoardApi.urgent}>
        <Button type="primary" danger onClick={interrupt}>
          紧急插播
        </Button>
      </Can>
      <Can code={classBoardApi.urgent_stop}>
        <Button onClick={() => void stop()}>停止插播</Button>
      </Can>
      <Can code={templateApi.change}>
        <Button onClick={dress}>更换模板</Button>
      </Can>
      <Can code={classBoardApi.refresh}>
        <Button onClick={() => void renew()}>刷新计划</Button>
      </Can>
    </>
  )
  return (
    <ListPage of={list} head={head} batch={batch} filters={<Filters of={list} show={['keyword', 'plan_state', 'online', 'fault']} />}>
      <Wall
        rows={list.rows}
        is_first={list.first}
        error={list.error}
        refresh={list.refresh}
        selected={new Set(ids)}
        onLook={look}
        onChoose={choose}
      />
      {dialog}
    </ListPage>
  )
}

type WallProps = {
  rows: readonly BoardRow[]
  is_first: boolean
  error: Error | null
  refresh: () => Promise<unknown>
  selected: ReadonlySet<string>
  onLook: (row: BoardRow) => void
  onChoose: (row: BoardRow, is_on: boolean) => void
}

function Wall({ rows, is_first, error, refresh, selected, onLook, onChoose }: WallProps): ReactNode {
  if (is_first) return <PartState query={{ error, isFetching: error === null, refetch: refresh }} />
  if (rows.length === 0) return <Empty description="没有班牌：先在设备管理里登记班牌或信息发布屏" />
  const floors = Map.groupBy(
    rows,
    row => (row.node_path_name ?? '未安装').split('/').slice(0, -1).join(' / ') || (row.node_path_name ?? '未安装'),
  )
  return (
    <div className="brd-wall">
      {[...floors].map(([floor, own]) => [
        <h2 key={floor}>{floor}</h2>,
        ...own.map(row => <Tile key={row.device_id} row={row} is_on={selected.has(row.device_id)} onLook={onLook} onChoose={onChoose} />),
      ])}
    </div>
  )
}

function Tile({ row, is_on, onLook, onChoose }: { row: BoardRow; is_on: boolean } & Pick<WallProps, 'onLook' | 'onChoose'>): ReactNode {
  const used =
    row.storage_free_mb === null || !row.storage_total_mb ? null : Math.round((1 - row.storage_free_mb / row.storage_total_mb) * 100)
  const shown = row.now_title ?? (row.plan_state === '3' ? '还没有回执' : '模板内容')
  return (
    <div className="brd-tile" role="group" aria-label={row.device_name} data-fault={row.fault_text === null ? '0' : '1'}>
      <div className="brd-line">
        <Checkbox aria-label={`选择${row.device_name}`} checked={is_on} onChange={event => onChoose(row, event.target.checked)} />
        <b title={row.device_name}>{row.class_name ?? row.device_name}</b>
        <Tag color={plan_tags[row.plan_state]}>{plan_states[row.plan_state]}</Tag>
      </div>
      <button type="button" className="brd-open" title={`查看${row.device_name}`} onClick={() => onLook(row)}>
        <div className="brd-shot" data-on={row.online ? '1' : '0'}>
          {row.screenshot_url === null ? shown : <img src={row.screenshot_url} alt={`${row.device_name}的截图`} />}
        </div>
        <span className="brd-line">
          <Badge status={row.online ? 'success' : 'default'} text={row.online ? '在线' : '离线'} />
          <span className="brd-quiet">{row.node_path_name?.split('/').at(-1)}</span>
        </span>
        {row.fault_text !== null && <span className="brd-quiet">故障：{row.fault_text}</span>}
        {row.secure_context === false && row.is_paired && <span className="brd-quiet">未启用安全连接，断电重启后需联网</span>}
        {used !== null && (
          <Progress
            size="small"
            percent={used}
            aria-label="已用空间"
            status={used >= short_percent ? 'exception' : 'normal'}
            format={value => `已用${value ?? 0}%`}
          />
        )}
      </button>
    </div>
  )
}

type Frame = { ids: readonly string[]; onClose: () => void; onDone: () => void }

function UrgentDialog({ ids, onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<{ text: string; minutes: number; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(() => call(classBoardApi.urgent, { ...values, device_ids: [...ids] }, { quiet: true }), '已发出，以班牌回执为准'))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      title={`紧急插播到${ids.length}块班牌`}
      okText="立即插播"
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="urgent" layout="vertical" initialValues={{ minutes: 30 }}>
        <Form.Item name="text" label="插播文字" rules={[{ required: true, whitespace: true, message: '请填写插播文字' }]}>
          <Input.TextArea rows={3} maxLength={300} showCount />
        </Form.Item>
        <Form.Item name="minutes" label="时长（分钟）" rules={[{ required: true, message: '请填写时长' }]}>
          <InputNumber min={1} max={1440} precision={0} />
        </Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}>
          <Input maxLength={200} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

const usual = '0'

function TemplateDialog({ ids, onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<{ template_id: string }>()
  const { busy, refused, run } = useSaving(form)
  const templates = useCall(templateApi.list, { page_size: 300 }, { enabled: useCan(templateApi.list) })
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(
        () =>
          call(
            templateApi.change,
            { device_ids: [...ids], template_id: values.template_id === usual ? null : values.template_id },
            { quiet: true },
          ),
        '已更换，班牌下载完成后切换',
      ))
    )
      return
    onDone()
    onClose()
  }
  const options = [
    { value: usual, label: '默认模板' },
    ...(templates.data?.list ?? []).filter(one => one.state === 1).map(one => ({ value: one.id, label: one.name })),
  ]
  return (
    <AppModal
      open
      title={`更换${ids.length}块班牌的模板`}
      okText="更换"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="template-change" layout="vertical">
        <Form.Item name="template_id" label="模板" rules={[{ required: true, message: '请选择模板' }]}>
          <Select options={options} loading={templates.isFetching} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
