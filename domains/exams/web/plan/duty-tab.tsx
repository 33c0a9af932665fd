import { planApi } from '@campus/exams/contract'
import type { Duties, ExamPlan, PostRow } from '@campus/exams/contract'
import { AppModal, call, instantText, useCan } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, InputNumber, Progress, Segmented, Select, Table, Tag, Tooltip } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { SwapPanel } from './swap-panel.tsx'

type Room = Duties['rooms'][number]
type Load = Duties['loads'][number]
type Edit = (post: { session_id: string; room_id: string; role: 1 | 2; title: string; current: PostRow | undefined }) => void
const most_seed = 2_147_483_647
const [board, load_view] = ['按考场', '按教师'] as const

/** 监考: rooms by sessions with who watches, and how even the load of the school year is (chapter 55 §5). */
export function DutyTab({ plan: { exam, sessions } }: { plan: ExamPlan }): ReactNode {
  const query = useCall(planApi.duties, { exam_id: exam.exam_id }, { keep: true })
  const [view, show] = useState<string>(board)
  const [typed, type] = useState<number>()
  const [per_room, take] = useState<1 | 2>(2)
  const { busy, act } = useAct([planApi.duties])
  const { open, close, dialog } = useDialog()
  const may_run = useCan(planApi.runDuties) && exam.state <= 2
  const seed = typed ?? query.data?.seed ?? 1
  const run = () => act(() => call(planApi.runDuties, { exam_id: exam.exam_id, seed, per_room }, { quiet: true }), { ask: (query.data?.posts.length ?? 0) > 0 && { title: '重新安排监考？', touches: '手工指定的保留，其余重新抽取。', ok: '重新安排' }, done: ({ posts, unfilled }) => (unfilled > 0 ? `已安排 ${posts}人次，${unfilled}个岗位没有可用教师` : `已安排 ${posts}人次`) })
  const edit: Edit = post => query.data && open(<AssignDialog exam_id={exam.exam_id} {...post} loads={query.data.loads} onClose={close} onDone={() => void query.refetch()} />)
  return (
    <>
      <div className="exam-head">
        <Segmented options={[board, load_view]} value={view} onChange={show} />
        {query.data && <><Tag color={query.data.unfilled === 0 ? 'green' : 'red'}>缺主监考 {query.data.unfilled}</Tag><span>最多与最少相差 <b className="kit-number">{query.data.spread}</b> 分钟</span></>}
        {may_run && (
          <span className="exam-spring exam-head">
            <Segmented options={[{ value: 1, label: '每场1人' }, { value: 2, label: '每场2人' }]} value={per_room} onChange={value => take(value === 1 ? 1 : 2)} />
            <InputNumber className="exam-short" aria-label="种子" prefix="种子" min={1} max={most_seed} precision={0} value={seed} onChange={value => type(value ?? 1)} />
            <Button type="primary" loading={busy} onClick={() => void run()}>安排监考</Button>
          </span>
        )}
      </div>
      <Loaded query={query} rows={10}>
        {data => (data.used.length === 0 ? <Empty description="还没有编排座位：监考按使用的考场安排" /> : view === board ? <Board data={data} sessions={sessions} edit={may_run ? edit : null} /> : <Loads loads={data.loads} />)}
      </Loaded>
      <SwapPanel exam_id={exam.exam_id} />
      {dialog}
    </>
  )
}

function Board({ data, sessions, edit }: { data: Duties; sessions: ExamPlan['sessions']; edit: Edit | null }): ReactNode {
  const rooms = data.rooms.filter(room => data.used.some(one => one.room_id === room.room_id))
  const columns = [
    { key: 'room', title: '考场', width: 152, fixed: 'left' as const, render: (_: unknown, room: Room) => `${room.number} ${room.place_name}` },
    ...sessions.map(session => ({
      key: session.session_id, title: <>{session.session_name}<br /><small>{instantText(session.begin_at).slice(5, 16)}</small></>, width: 152,
      render: (_: unknown, room: Room) => {
        if (!data.used.some(one => one.session_id === session.session_id && one.room_id === room.room_id)) return '—'
        const posts = data.posts.filter(one => one.session_id === session.session_id && one.room_id === room.room_id)
        return ([1, 2] as const).map(role => <PostCell key={role} role={role} post={posts.find(one => one.role === role)} open={edit && (() => edit({ session_id: session.session_id, room_id: room.room_id, role, title: `${room.number}考场 ${session.session_name}`, current: posts.find(one => one.role === role) }))} />)
      },
    })),
  ]
  return <Table<Room> size="small" rowKey="room_id" columns={columns} dataSource={rooms} pagination={false} scroll={{ x: 152 * (sessions.length + 1), y: 'calc(100vh - 330px)' }} />
}

function PostCell({ role, post, open }: { role: 1 | 2; post: PostRow | undefined; open: (() => void) | null }): ReactNode {
  const text = post?.user_name ?? (role === 1 ? '缺主监考' : '＋副监考')
  const tag = <Tag color={post ? (role === 1 ? 'blue' : 'default') : role === 1 ? 'red' : undefined}>{text}</Tag>
  const hint = <Tooltip title={post?.reason}>{tag}</Tooltip>
  return open ? <Button type="text" size="small" className="exam-post" aria-label={`${role === 1 ? '主监考' : '副监考'} ${text}`} onClick={open}>{hint}</Button> : hint
}

function Loads({ loads }: { loads: readonly Load[] }): ReactNode {
  const most = Math.max(1, ...loads.map(one => (one.before + one.minutes) / one.share))
  const columns = [
    { key: 'name', title: '教师', width: 104, dataIndex: 'user_name' },
    { key: 'no', title: '工号', width: 112, dataIndex: 'teacher_no' },
    { key: 'times', title: '本次', width: 72, align: 'right' as const, render: (_: unknown, row: Load) => `${row.times}场` },
    { key: 'before', title: '本学年此前', width: 104, align: 'right' as const, render: (_: unknown, row: Load) => `${row.before}分钟` },
    { key: 'after', title: '累计', width: 96, align: 'right' as const, render: (_: unknown, row: Load) => `${row.before + row.minutes}分钟` },
    { key: 'bar', title: '按工作量折算', render: (_: unknown, row: Load) => <Progress size="small" showInfo={false} percent={Math.round(((row.before + row.minutes) / row.share / most) * 100)} aria-label={`折算${Math.round((row.before + row.minutes) / row.share)}分钟`} /> },
    { key: 'share', title: '系数', width: 64, dataIndex: 'share' },
    { key: 'blocked', title: '不可用时段', width: 96, align: 'right' as const, dataIndex: 'blocked' },
  ]
  return <Table<Load> size="small" rowKey="user_id" columns={columns} dataSource={loads.toSorted((a, b) => b.minutes - a.minutes)} pagination={{ pageSize: 50, showSizeChanger: false }} scroll={{ y: 'calc(100vh - 340px)' }} />
}

type AssignProps = { exam_id: string; session_id: string; room_id: string; role: 1 | 2; title: string; current: PostRow | undefined; loads: readonly Load[]; onClose: () => void; onDone: () => void }

function AssignDialog({ exam_id, session_id, room_id, role, title, current, loads, onClose, onDone }: AssignProps): ReactNode {
  const [chosen, choose] = useState(current?.user_id)
  const { busy, act } = useAct([], onDone)
  const save = async () => {
    const saved = await act(() => call(planApi.assign, { exam_id, session_id, room_id, role, user_id: chosen ?? null }, { quiet: true }), { done: '设置成功' })
    if (saved) onClose()
  }
  const options = loads.toSorted((a, b) => a.before + a.minutes - b.before - b.minutes).map(one => ({ value: one.user_id, label: `${one.user_name}（累计${one.before + one.minutes}分钟）`, search: `${one.user_name} ${one.teacher_no}` }))
  return (
    <AppModal open width={440} title={`${title} ${role === 1 ? '主监考' : '副监考'}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {current && <p>现在：{current.user_name}。{current.reason}</p>}
      <Select className="kit-fill" aria-label="教师" allowClear showSearch={{ optionFilterProp: 'search' }} value={chosen} onChange={choose} options={options} placeholder="清空则不安排" />
    </AppModal>
  )
}
