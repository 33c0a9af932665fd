import { consent_acts, consent_names, consent_scenes, erasure_causes, FACE_STATE, faceApi } from '@campus/faces/contract'
import type { Erasure, FaceDetail, FacePerson } from '@campus/faces/contract'
import { AppDrawer, instantText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Switch, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const device_words: Readonly<Record<FaceDetail['devices'][number]['state'], { label: string; color: string }>> = {
  done: { label: '已下发', color: 'green' }, waiting: { label: '等待确认', color: 'blue' }, offline: { label: '设备离线', color: 'orange' }, refused: { label: '拒收', color: 'red' }, removing: { label: '正在清除', color: 'orange' },
}
const causes: Readonly<Record<string, string>> = erasure_causes
const acts: Readonly<Record<string, string>> = consent_acts
const scenes: Readonly<Record<string, string>> = consent_scenes

/** One person: 采集 → 检测 → 授权 → 下发, terminal by terminal, with the ledger of his consent and what was erased. */
export function PersonDrawer({ person, onClose }: { person: FacePerson; onClose: () => void }): ReactNode {
  const query = useCall(faceApi.detail, { user_id: person.user_id })
  return (
    <AppDrawer open size={880} title={`人脸详情 · ${person.user_name}（${person.dept_name ?? person.user_no}）`} onClose={onClose}>
      <Loaded query={query}>{detail => <Detail person={person} detail={detail} />}</Loaded>
    </AppDrawer>
  )
}

function Detail({ person, detail }: { person: FacePerson; detail: FaceDetail }): ReactNode {
  const has_face = person.face_id !== null
  const steps = [
    { title: '采集', done: has_face || person.candidate !== null, about: person.captured_at === null ? '' : instantText(person.captured_at) },
    { title: '检测', done: has_face, about: has_face ? '通过' : FACE_STATE.names[person.state] },
    { title: '授权', done: person.consent === 'given', about: `${consent_names[person.consent]}，须${detail.needs.join('和')}确认` },
    { title: '下发', done: person.state === '6', about: person.devices_total === 0 ? '没有可通行的设备' : `${person.devices_done}/${person.devices_total} 台` },
  ]
  return (
    <>
      <ol className="face-chain">{steps.map(step => <li key={step.title} data-done={step.done ? 1 : 0}><b>{step.title}</b><small>{step.about}</small></li>)}</ol>
      <h3 className="face-part">设备（{detail.devices.length}）</h3>
      <Table<FaceDetail['devices'][number]> size="small" rowKey="device_id" pagination={false} columns={device_columns} dataSource={detail.devices} locale={{ emptyText: '没有设备保存这张人脸' }} />
      <h3 className="face-part">授权记录（{detail.log.length}）</h3>
      <Table<FaceDetail['log'][number]> size="small" rowKey="log_id" pagination={false} columns={log_columns} dataSource={detail.log} locale={{ emptyText: '还没有询问过' }} />
      <h3 className="face-part">删除证明（{detail.erasures.length}）</h3>
      <Erasures list={detail.erasures} />
    </>
  )
}

const device_columns: TableColumnType<FaceDetail['devices'][number]>[] = [
  { title: '设备', dataIndex: 'device_name', width: 180, ellipsis: true },
  { title: '位置', dataIndex: 'place_name', ellipsis: true },
  { title: '状态', key: 'state', width: 112, render: (_, row) => <Tag color={device_words[row.state].color}>{device_words[row.state].label}</Tag> },
  { title: '原因', dataIndex: 'reason', width: 220, ellipsis: true },
]
const log_columns: TableColumnType<FaceDetail['log'][number]>[] = [
  { title: '时间', key: 'at', width: 160, render: (_, row) => instantText(row.at) },
  { title: '内容', key: 'status', width: 112, render: (_, row) => acts[String(row.status)] },
  { title: '方式', key: 'scene', width: 128, render: (_, row) => scenes[String(row.confirm_scene)] },
  { title: '确认人', dataIndex: 'by_name' },
  { title: '回执号', key: 'hash', width: 140, render: (_, row) => row.hash.slice(0, 12) },
]

const erasure_columns: TableColumnType<Erasure>[] = [
  { title: '人员', dataIndex: 'user_name', width: 100 },
  { title: '原因', key: 'cause', width: 100, render: (_, row) => causes[row.cause] },
  { title: '开始', key: 'ordered_at', width: 150, render: (_, row) => instantText(row.ordered_at) },
  { title: '设备确认', key: 'acked', width: 90, render: (_, row) => (row.total === 0 ? '无设备' : `${row.acked}/${row.total}`) },
  { title: '回读核验', key: 'proven', width: 90, render: (_, row) => (row.total === 0 ? '无设备' : `${row.proven}/${row.total}`) },
  { title: '状态', key: 'state', width: 112, render: (_, row) => <Tag color={row.closed_at === null ? (row.overdue ? 'red' : 'orange') : 'green'}>{row.closed_at === null ? (row.overdue ? '超时未完成' : '进行中') : '已完成'}</Tag> },
]

/** Erasures, each with every store and device that held the face. */
function Erasures({ list }: { list: Erasure[] }): ReactNode {
  const line = (row: Erasure) => (
    <ul className="face-hints">
      {row.lines.map((one, at) => (
        <li key={at}>{[target_names[one.target] ?? one.device_name, one.place_name, one.proven_at ? `已核验 ${instantText(one.proven_at)}` : one.acked_at ? '设备已确认，等待回读核验' : one.online ? '等待设备确认' : '设备离线，上线后首先清除'].filter(text => text).join(' · ')}</li>
      ))}
    </ul>
  )
  return <Table<Erasure> size="small" rowKey="erasure_id" pagination={false} columns={erasure_columns} dataSource={list} expandable={{ expandedRowRender: line }} locale={{ emptyText: '没有删除记录' }} />
}

const target_names: Readonly<Record<number, string>> = { 1: '原图', 2: '缩略图', 4: '特征' }

/** 删除证明 of the school: what is open first; nothing is closed before every device was read back. */
export function ErasureDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const [open, setOpen] = useState(false)
  const query = useCall(faceApi.erasures, open ? { open: '1' } : {}, { keep: true })
  return (
    <AppDrawer open size={880} title="删除证明" onClose={onClose}>
      <p><Switch checked={open} onChange={setOpen} aria-label="只看未完成" /> 只看未完成</p>
      <Loaded query={query} empty={open ? '没有未完成的删除' : '还没有删除过人脸'}>{({ list }) => <Erasures list={list} />}</Loaded>
    </AppDrawer>
  )
}
