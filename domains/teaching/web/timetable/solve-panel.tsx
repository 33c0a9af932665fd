import { solveApi, versionApi } from '@campus/teaching/contract'
import type { SolveChanges, SolveFault, SolveRun, Timetable, View } from '@campus/teaching/contract'
import { call } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, InputNumber, Progress, Radio, Tag } from 'antd'
import type { ReactNode } from 'react'
import { ChangesForm } from './changes-form.tsx'
import { MoveList } from './move-list.tsx'

const poll_ms = 1500
type Values = { seconds: number; seed: number; keep: 'locked' | 'placed' | 'changes' } & Partial<SolveChanges>
type Props = { table: Timetable; version_id: string; rev: number; written: () => void; look: (view: View, id: string) => void }
const keeps = [{ value: 'locked', label: '锁定的课' }, { value: 'placed', label: '全部已排的课' }, { value: 'changes', label: '尽量不动（按变化重排）' }]

/** 自动排课: what cannot work is said first; the search goes on by itself, and its result is taken over when it is wanted (chapter 50 §5). */
export function SolvePanel({ table, version_id, rev, written, look }: Props): ReactNode {
  const precheck = useCall(solveApi.precheck, { id: version_id })
  const latest = useQuery({
    queryKey: [solveApi.latest.call, version_id], queryFn: async () =>
      (await call(solveApi.latest, { id: version_id }, { quiet: true })).run,
    refetchInterval: query => (query.state.data?.state === 'running' ? poll_ms : false),
  })
  const { busy, act } = useAct([versionApi.grid, versionApi.steps, versionApi.check, solveApi.moves], () => latest.refetch())
  const [form] = Form.useForm<Values>()
  const keep = Form.useWatch('keep', form)
  const run = latest.data ?? null
  const start = ({ away = [], rooms = [], ...values }: Values) => {
    const changes = values.keep === 'changes' ? { away, rooms } : { away: [], rooms: [] }
    return act(() => call(solveApi.start, { id: version_id, ...values, changes }, { quiet: true }), { done: '已开始排课' })
  }
  const stop = () => run && act(() => call(solveApi.stop, { id: run.id }, { quiet: true }), { done: '正在停止，结果保留' })
  const take = async (lesson_ids?: string[]) => {
    const asked = { rev, ...(lesson_ids ? { lesson_ids } : {}) }
    const text = ({ moved, unplaced }: { moved: number; unplaced: number }) => `已采用：调整${moved}节${unplaced > 0 ? `，未排${unplaced}节` : ''}`
    if (run) await act(() => call(solveApi.take, { id: run.id, ...asked }, { quiet: true }), { done: text })
    written()
  }
  const is_running = run?.state === 'running'
  return (
    <div className="timetable-solve">
      <Loaded query={precheck} rows={2}>{data => <Health {...data} look={look} />}</Loaded>
      {!is_running && (
        <Form<Values>
          form={form} layout="vertical" initialValues={{ seconds: 60, seed: 1, keep: 'locked' }} onFinish={values => void start(values)}
        >
          <Form.Item name="keep" label="保留"><Radio.Group options={keeps} /></Form.Item>
          {keep === 'changes' && <ChangesForm semester_id={table.semester_id} />}
          <Form.Item name="seconds" label="最长时间" rules={[{ required: true, message: '请填写时间' }]}>
            <InputNumber min={10} max={3600} precision={0} suffix="秒" />
          </Form.Item>
          <Form.Item name="seed" label="随机种子" tooltip="相同的种子得到相近的结果"><InputNumber min={1} max={1_000_000} precision={0} /></Form.Item>
          <Button htmlType="submit" type="primary" loading={busy}>开始排课</Button>
        </Form>
      )}
      {run && <RunState run={run} />}
      {is_running && <Button danger loading={busy} onClick={() => void stop()}>停止</Button>}
      {run?.state === 'finished' && <MoveList run_id={run.id} busy={busy} is_change={run.is_change} take={take} look={look} />}
    </div>
  )
}

type HealthProps = { lessons: number; locked: number; faults: readonly SolveFault[]; look: Props['look'] }
const most_faults = 20

/** 体检: each finding leads to the timetable it is about. */
function Health({ lessons, locked, faults, look }: HealthProps): ReactNode {
  const blocking = faults.filter(one => one.severity === 'block').length
  const title = blocking === 0 ? `体检通过：共${lessons}节，锁定${locked}节${faults.length > 0 ? `，${faults.length}项提醒` : ''}` : `体检未通过，共${blocking}项`
  return (
    <Alert
      type={blocking > 0 ? 'error' : faults.length > 0 ? 'warning' : 'success'} showIcon title={title}
      description={faults.length > 0
        && <ul>{faults.slice(0, most_faults).map(one => <Fault key={one.text} fault={one} look={look} />)}</ul>}
    />
  )
}

function Fault({ fault: { severity, text, target }, look }: { fault: SolveFault; look: Props['look'] }): ReactNode {
  return (
    <li>
      <Tag color={severity === 'block' ? 'red' : 'orange'}>{severity === 'block' ? '阻断' : '提醒'}</Tag>
      {text}
      {target && <Button type="link" size="small" aria-label={`查看 ${text}`} onClick={() => look(target.view, target.id)}>查看</Button>}
    </li>
  )
}

const state_texts: Readonly<Record<SolveRun['state'], string>> = { running: '正在排课', finished: '排课完成', failed: '排课已取消', taken: '已采用' }

function RunState({ run }: { run: SolveRun }): ReactNode {
  const last = run.curve.at(-1)
  return (
    <div role="status">
      <b>{state_texts[run.state]}</b>
      {last && <span>，用时{Math.round(last[0])}秒，冲突{run.hard ?? last[1]}，分布扣分{run.soft ?? last[2]}{run.moves !== null
        && `，尝试${Math.round(run.moves / 10_000)}万次`}</span>}
      {run.state === 'running' && <Progress percent={100} status="active" showInfo={false} aria-label="正在排课" />}
      {run.placed !== null && <p>已排{run.placed}节，未排{run.unplaced ?? 0}节</p>}
      {run.curve.length > 1 && <Curve points={run.curve} />}
      {run.reasons.length > 0 && <ul>{run.reasons.map(text => <li key={text}>{text}</li>)}</ul>}
    </div>
  )
}

const [width, height] = [280, 56] as const

/** Clashes over time, as a line. */
function Curve({ points }: { points: SolveRun['curve'] }): ReactNode {
  const [until, most] = [Math.max(1, points.at(-1)?.[0] ?? 1), Math.max(1, ...points.map(point => point[1] * 10 + point[2]))]
  const path = points.map(([seconds, hard, soft]) =>
    `${((seconds / until) * width).toFixed(1)},${(height - ((hard * 10 + soft) / most) * (height - 4)).toFixed(1)}`).join(' ')
  return <svg className="timetable-curve" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`从${points[0]?.[1] ?? 0}处冲突降到${points.at(-1)?.[1] ?? 0}处`}><polyline points={path} /></svg>
}
