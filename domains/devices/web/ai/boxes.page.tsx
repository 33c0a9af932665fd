import { DEVICE_STATE } from '@campus/devices/contract'
import type { AiBox } from '@campus/devices/contract'
import { holdsName } from '@kit/contract/checks'
import { instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Badge, Button, Empty, Input, Table, Tag } from 'antd'
import type { TableColumnsType } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { stateColor } from '../state-dot.tsx'
import { kindName } from './ai-words.ts'
import { useBoxes } from './use-ai-rules.ts'
import '../devices.css'
import './ai.css'

const TestShot = lazy(() => import('./test-shot.tsx').then(part => ({ default: part.TestShot })))

type Camera = AiBox['cameras'][number]

const columns: TableColumnsType<Camera> = [
  { title: '摄像机', dataIndex: 'device_name', width: 200 },
  { title: '场所', width: 290, render: (_, camera) => camera.node_path_name ?? '未绑定场所' },
  { title: '状态', width: 90, render: (_, camera) => <Badge status={camera.online ? 'success' : 'default'} text={camera.online ? '在线' : '离线'} /> },
  { title: '使用的规则', render: (_, camera) => <Rules camera={camera} /> },
  { title: '最近预警', width: 150, render: (_, camera) => (camera.last_hit_at === null ? '—' : instantText(camera.last_hit_at)) },
  { title: '操作', width: 96, render: (_, camera) => <TakeShot camera={camera} /> },
]

/** AI预警设备: the boxes, the cameras that feed them, what each of them can see and what is asked of it. */
export default function AiBoxes(): ReactNode {
  const [keyword, setKeyword] = useState('')
  const query = useBoxes()
  const boxes = (query.data ?? []).flatMap(box => found(box, keyword.trim()))
  return (
    <div className="ai-page" data-ready={query.data ? 'ai-boxes' : undefined}>
      <header className="ai-bar">
        <Input.Search allowClear aria-label="关键字" placeholder="盒子、摄像机或场所" style={{ width: 260 }} value={keyword} onChange={event => setKeyword(event.target.value)} />
        <span className="device-quiet">{query.data ? `${query.data.length}台盒子，${query.data.reduce((sum, box) => sum + box.cameras.length, 0)}台摄像机` : ''}</span>
      </header>
      {!query.data && <PartState query={query} />}
      {query.data && boxes.length === 0 && <Empty description={keyword === '' ? '还没有AI盒子，请先在设备管理中新增类型为“智能AI盒子”的设备，再把摄像机绑定到盒子' : '没有符合的盒子或摄像机'} />}
      <div className="ai-boxes">{boxes.map(box => <Box key={box.device_id} box={box} />)}</div>
    </div>
  )
}

function Box({ box }: { box: AiBox }): ReactNode {
  const state = DEVICE_STATE.codes.find(code => code === box.device_state)
  return (
    <section className="ai-box" aria-label={box.device_name}>
      <header>
        <h3>{box.device_name}</h3>
        {state !== undefined && <Badge status={stateColor(state)} text={DEVICE_STATE.names[state]} />}
        <small>{box.node_path_name ?? '未绑定场所'}</small>
        <small>{`最近预警 ${box.last_hit_at === null ? '—' : instantText(box.last_hit_at)}`}</small>
        {box.rules_wanted > 0 && <small className={box.rules_applied < box.rules_wanted ? 'ai-suggest' : undefined} title="哪些没有生效、为什么，见“AI预警规则”的“执行设备”">{`规则 ${box.rules_applied}/${box.rules_wanted} 条生效`}</small>}
        <small>{`今日上报 ${box.hits_today} 次`}</small>
        {box.dropped_today > 0 && <small title="没有启用的规则、摄像机未绑定到该盒子、或在私密区域，这些上报不保存">{`另有 ${box.dropped_today} 次未采用`}</small>}
        <span>{box.algorithms.map(kind => <Tag key={kind}>{kindName(kind)}</Tag>)}</span>
      </header>
      <Table<Camera> size="small" rowKey="device_id" columns={columns} dataSource={box.cameras} pagination={false} locale={{ emptyText: '没有绑定摄像机' }} />
    </section>
  )
}

function TakeShot({ camera: { device_id, device_name } }: { camera: Camera }): ReactNode {
  const [is_open, open] = useState(false)
  return (
    <>
      <Button type="link" size="small" aria-label={`测试抓图 ${device_name}`} onClick={() => open(true)}>测试抓图</Button>
      <Suspense>{is_open && <TestShot camera_id={device_id} camera_name={device_name} onClose={() => open(false)} />}</Suspense>
    </>
  )
}

function Rules({ camera: { rules } }: { camera: Camera }): ReactNode {
  if (rules.length === 0) return <span className="device-quiet">没有规则</span>
  return rules.map(rule => <Tag key={rule.rule_id} color={rule.enabled ? 'blue' : 'default'}>{rule.enabled ? rule.rule_name : `${rule.rule_name}（停用）`}</Tag>)
}

/** A box with those of its cameras that are looked for; all of them when it is looked for itself. */
function found(box: AiBox, keyword: string): AiBox[] {
  const has = (...texts: (string | null)[]) => texts.some(text => text !== null && holdsName(text, keyword))
  if (keyword === '' || has(box.device_name, box.node_path_name)) return [box]
  const cameras = box.cameras.filter(camera => has(camera.device_name, camera.node_path_name))
  return cameras.length > 0 ? [{ ...box, cameras }] : []
}
