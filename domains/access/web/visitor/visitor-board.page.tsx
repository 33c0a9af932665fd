import { visitApi, visitChannel } from '@campus/access/contract'
import type { VisitRow } from '@campus/access/contract'
import { AppModal, call, Can, instantText, serverNow, useChannel } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Input, Tag } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { AbnormalLink } from '../abnormal/abnormal-link.tsx'
import '../pass/pass.css'

const VisitDialog = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.VisitDialog))
const VisitDrawer = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.VisitDrawer))
const [approved, arrived, left] = [1, 4, 5] as const
/** How often the wall asks by itself: minutes that are left run on, and what happened before it was connected is not missed. */
const [minute_ms, again_ms] = [60_000, 15_000] as const
const columns = [
  { title: '待到访', has: (row: VisitRow) => row.state === approved }, { title: '在校', has: (row: VisitRow) => row.state === arrived && !row.is_overdue },
  { title: '超时未离', has: (row: VisitRow) => row.state === arrived && row.is_overdue }, { title: '已离校', has: (row: VisitRow) => row.state === left },
] as const

/** 访客进出监控: today's visitors at the gate, and the box into which codes are scanned (chapter 35 §5). */
export default function VisitorEnterExit(): ReactNode {
  const { open, close, dialog } = useDialog()
  const query = useCall(visitApi.board, {})
  const { refetch } = query
  const refresh = () => void refetch()
  useEffect(() => {
    const timer = setInterval(() => void refetch(), again_ms)
    return () => clearInterval(timer)
  }, [refetch])
  useChannel(visitChannel, refresh, { onGap: refresh })
  const { act } = useAct([visitApi.board, visitApi.page])
  const [code, setCode] = useState('')
  const scan = async () => {
    const reply = await act(() => call(visitApi.scan, { code }, { quiet: true }))
    if (!reply) return
    setCode('')
    open(<ScanDialog visit={reply.visit} act={act} onClose={close} />)
  }
  const register = () => open(<VisitDialog onClose={close} onDone={refresh} />)
  const show = (apply_id: string) => open(<VisitDrawer apply_id={apply_id} onClose={close} />)
  return (
    <div className="wall" data-ready={query.data ? 'visit-board' : undefined}>
      <div className="wall-bar">
        <Can code={visitApi.scan}>
          <Input.Search className="visit-scan" aria-label="扫码或输入通行码" placeholder="扫描访客二维码，或输入8位通行码、单号" enterButton="核对" maxLength={64} value={code} onChange={event => setCode(event.target.value)} onSearch={() => void scan()} />
        </Can>
        <Can code={visitApi.create}><Button type="primary" onClick={register}>现场登记</Button></Can>
        <AbnormalLink kind="11" text="访客超时未离" />
      </div>
      <Loaded query={query}>
        {({ list }) => (
          <div className="visit-board">
            {columns.map(({ title, has }) => {
              const own = list.filter(has)
              return (
                <section key={title} aria-label={title}>
                  <h2>{`${title} `}<b className="kit-number">{own.length}</b></h2>
                  {own.length === 0 ? <Empty description="没有访客" /> : <ul>{own.map(row => <Card key={row.apply_id} row={row} act={act} show={() => show(row.apply_id)} />)}</ul>}
                </section>
              )
            })}
          </div>
        )}
      </Loaded>
      {dialog}
    </div>
  )
}

type Act = ReturnType<typeof useAct>['act']

function Card({ row, act, show }: { row: VisitRow; act: Act; show: () => void }): ReactNode {
  const left_minutes = Math.round((Date.parse(row.end_at) - serverNow()) / minute_ms)
  const rest = row.state !== arrived ? '' : left_minutes >= 0 ? `剩余${left_minutes}分钟` : `超出${-left_minutes}分钟`
  return (
    <li className={row.is_overdue ? 'visit-late' : undefined}>
      <b>{row.visitor_name}</b>{row.followers > 0 && <small>{` 同行${row.followers}人`}</small>} {rest && <Tag color={left_minutes < 0 ? 'red' : 'green'}>{rest}</Tag>}
      <p>{`访 ${row.receiver_name ?? ''} · ${row.reason_name}`}</p>
      <p>{`${instantText(row.begin_at).slice(11)}–${instantText(row.end_at).slice(11)}${row.plate === null ? '' : ` · ${row.plate}`}`}</p>
      <DeskActs row={row} act={act} />
      <Button size="small" type="link" aria-label={`详情 ${row.visitor_name}`} onClick={show}>详情</Button>
    </li>
  )
}

/** What the guard may do with a visitor now. */
function DeskActs({ row: { apply_id, state, visitor_name }, act, then }: { row: VisitRow; act: Act; then?: () => void }): ReactNode {
  const run = async (of: () => Promise<unknown>, done: string) => {
    await act(of, { done })
    then?.()
  }
  return (
    <Can code={visitApi.arrive}>
      {state === approved && <Button size="small" aria-label={`到访登记 ${visitor_name}`} onClick={() => void run(() => call(visitApi.arrive, { apply_id }, { quiet: true }), '已登记到访')}>到访登记</Button>}
      {state === arrived && <Button size="small" aria-label={`离校登记 ${visitor_name}`} onClick={() => void run(() => call(visitApi.leave, { apply_id }, { quiet: true }), '已登记离校')}>离校登记</Button>}
      {(state === arrived || state === approved) && <Button size="small" aria-label={`延长 ${visitor_name}`} onClick={() => void run(() => call(visitApi.extend, { apply_id, minutes: 60 }, { quiet: true }), '已延长1小时')}>延长1小时</Button>}
    </Can>
  )
}

function ScanDialog({ visit, act, onClose }: { visit: VisitRow; act: Act; onClose: () => void }): ReactNode {
  return (
    <AppModal open width={440} title={`${visit.visitor_name}（${visit.apply_no}）`} footer={<DeskActs row={visit} act={act} then={onClose} />} onCancel={onClose}>
      <p>{`${visit.mobile}，同行${visit.followers}人，访 ${visit.receiver_name ?? ''}（${visit.receiver_dept ?? ''}）`}</p>
      <p>{`${instantText(visit.begin_at)} 至 ${instantText(visit.end_at)}，${visit.route}`}</p>
      {visit.state === 0 && <p>还没有审核通过，请联系被访人</p>}
    </AppModal>
  )
}
