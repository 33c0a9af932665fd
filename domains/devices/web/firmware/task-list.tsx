import { firmware_kinds, firmwareApi, FirmwareTask, task_states } from '@campus/devices/contract'
import { call, confirmDanger, fields, Filters, instantText, ListPage, selectFilter, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button, Tag } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { TaskBar } from './upgrade-state.tsx'
import { useFirmwareChanged, useFollow } from './use-firmware.ts'

const TaskDrawer = lazy(() => import('./task-drawer.tsx').then(part => ({ default: part.TaskDrawer })))
const ROW_WIDTH = 150
const colors = { running: 'blue', held: 'orange', done: 'green', canceled: 'default' } as const
const waves = { 1: '第1批：1台', 2: '第2批：十分之一', 3: '第3批：全部' } as const
type Act = typeof firmwareApi.cancel | typeof firmwareApi.retry

/** 升级任务: how far each is, wave by wave. */
export function TaskList(): ReactNode {
  const [opened, open] = useState<FirmwareTask | null>(null)
  const may_edit = useCan(firmwareApi.create)
  const changed = useFirmwareChanged()
  const list = useResourceList(firmwareApi.tasks, useMemo(() => taskFields(), []), { part: 'tasks' })
  useFollow(list.rows.some(row => row.state === 'running'))
  const act = async (endpoint: Act, task_id: string, done: string) => {
    const failed = await call(endpoint, { id: task_id }, { quiet: true }).then(() => null, (cause: unknown) => sentenceOf(cause))
    if (failed === null) toast.success(done)
    else toast.error(failed)
    await changed()
  }
  const cancel = async (task: FirmwareTask) => {
    if (await confirmDanger({ title: `取消升级到 ${task.version}？`, touches: `${task.queued}台尚未开始的设备不再升级，${task.running}台正在升级的继续完成`, ok: '取消任务' })) await act(firmwareApi.cancel, task.task_id, '已取消')
  }
  const row = (task: FirmwareTask) => (
    <>
      <Button type="link" size="small" aria-label={`详情 ${task.version}`} onClick={() => open(task)}>详情</Button>
      {may_edit && (task.state === 'held' || (task.state === 'running' && task.failed > 0)) && <Button type="link" size="small" onClick={() => void act(firmwareApi.retry, task.task_id, '已重新开始')}>重试</Button>}
      {may_edit && (task.state === 'held' || task.state === 'running') && <Button type="link" size="small" danger onClick={() => void cancel(task)}>取消</Button>}
    </>
  )
  return (
    <ListPage of={list} filters={<Filters of={list} show={['state']} />}>
      <Table of={list} show={['version', 'state', 'wave', 'devices', 'window', 'created_at']} row={row} row_width={ROW_WIDTH} empty="还没有升级任务，可以在“固件包”中点“升级”，或在设备管理中选中设备后点“升级”" />
      <Suspense>{opened && <TaskDrawer task_id={opened.task_id} onClose={() => open(null)} />}</Suspense>
    </ListPage>
  )
}

function taskFields() {
  return fields(FirmwareTask, 'task_id', {
    version: { label: '目标版本', width: 170, default_action: true, cell: row => <>{row.version}<small className="device-quiet">{firmware_kinds[row.kind]}</small></> },
    state: { label: '状态', width: 210, cell: row => <><Tag color={colors[row.state]}>{task_states[row.state]}</Tag>{row.held_reason !== null && <small className="device-quiet">{row.held_reason}</small>}</>, filter: selectFilter('state', Object.entries(task_states).map(([value, label]) => ({ value, label }))) },
    wave: { label: '批次', width: 130, cell: row => waves[row.wave === 1 ? 1 : row.wave === 2 ? 2 : 3] },
    devices: { label: '进度', width: 240, cell: row => <TaskBar task={row} /> },
    window: { label: '时段', width: 110, cell: row => (row.window_from === null ? '不限' : `${row.window_from}-${row.window_to}`) },
    created_at: { label: '创建', width: 150, cell: row => <>{instantText(row.created_at)}<small className="device-quiet">{row.created_by_name ?? '系统'}</small></> },
  })
}
