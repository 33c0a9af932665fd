import { blackApi, blackList, visitApi, visitList } from '@campus/access/contract'
import type { BlackRow, VisitRow } from '@campus/access/contract'
import { call, Can, fieldsOf, Filters, ImportButton, ListPage, PageTabs } from '@kit/web'
import { schoolToday, Table, useMay, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import '../pass/pass.css'
import { state_colors, stateName } from './visitor-words.ts'

const VisitDialog = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.VisitDialog))
const VisitDrawer = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.VisitDrawer))
const SlipDialog = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.SlipDialog))
const ReasonDialog = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.ReasonDialog))
const BlackDialog = lazyDialog(() => import('./visit-dialogs.tsx').then(part => part.BlackDialog))
const tabs = [{ key: 'todo', label: '待审核' }, { key: 'today', label: '今日' }, { key: 'all', label: '全部' }, { key: 'black', label: '黑名单' }] as const
const [waits, approved, arrived] = [0, 1, 4] as const

/** 访客通行审核: what waits for a decision, who comes today, every visit, and who may not come (chapter 35 §5). */
export default function VisitorPass(): ReactNode {
  const { search, setSearch } = usePage()
  const may = useMay()
  const shown = tabs.filter(tab => tab.key !== 'black' || may('access.visitor_black.view'))
  const tab = shown.find(one => one.key === search.tab)?.key ?? 'todo'
  const head = <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ tab: key })} />
  if (tab === 'black') return <Blacklist head={head} />
  return <Visits key={tab} tab={tab} head={head} />
}

const visit_fields = fieldsOf(visitList, { visitor_name: { default_action: true }, state: { cell: stateCell } })

function stateCell(row: VisitRow): ReactNode {
  return <State row={row} />
}

type Frame = { open: (element: ReactNode) => void; onClose: () => void; onDone: () => void }

function Visits({ tab, head }: { tab: 'todo' | 'today' | 'all'; head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const fields = visit_fields
  const today = schoolToday()
  const fixed: Readonly<Record<string, Record<string, string>>> = { todo: { state: '0' }, today: { from: today, to: today }, all: {} }
  const own = fixed[tab] ?? {}
  const list = useResourceList(visitApi.page, fields, { fixed: own, part: tab })
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { act } = useAct([visitApi.board], written)
  const frame: Frame = { open, onClose: close, onDone: written }
  const chosen = list.rows.filter(row => list.selected.includes(row.apply_id) && row.state === waits).map(row => row.apply_id)
  const pass = (apply_ids: string[]) => act(() => call(visitApi.pass, { apply_ids }, { quiet: true }), { done: reply => failedText(reply.results) ?? '已同意' })
  const register = () => open(<VisitDialog onClose={close} onDone={written} />)
  const refuse = () => open(<RefuseDialog apply_ids={chosen} {...frame} />)
  const filters = tab === 'todo' ? (['keyword', 'from'] as const) : tab === 'today' ? (['keyword', 'state'] as const) : (['keyword', 'state', 'from'] as const)
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={filters} />}
      batch={<Can code={visitApi.pass}><Button disabled={chosen.length === 0} onClick={() => void pass(chosen)}>同意</Button><Button disabled={chosen.length === 0} onClick={refuse}>拒绝</Button></Can>}
      more={<ImportButton code={visitApi.create} template="access_visit" title="访客预约导入" label="导入" unit="条" onApplied={written} />}
      actions={<><Can code={visitApi.create}><Button type="primary" onClick={register}>登记访客</Button></Can><ListExport of={list} fact={visitList} call={visitApi.export} fixed={own} /></>}
    >
      <Table
        of={list} show={['visitor_name', 'mobile', 'reason_name', 'receiver_name', 'followers', 'begin_at', 'route', 'channel', 'state']} more={['apply_no', 'company', 'receiver_dept', 'student_name', 'plate', 'end_at', 'arrived_at', 'left_at', 'refuse_reason']}
        row={actsOf(frame, pass, act)} row_width={148} selectable={tab !== 'all'} empty={tab === 'todo' ? '没有待审核的访客' : '没有访客；点“登记访客”新增，或在微信访客设置中打开自助预约'}
      />
      {dialog}
    </ListPage>
  )
}

function failedText(results: readonly { ok: boolean; msg: string | null }[]): string | undefined {
  const failed = results.filter(one => !one.ok)
  return failed.length === 0 ? undefined : `${results.length - failed.length}条成功，${failed.length}条失败：${failed[0]?.msg ?? ''}`
}

function State({ row }: { row: VisitRow }): ReactNode {
  return <><Tag color={state_colors[row.state]}>{stateName(row.state)}</Tag>{row.is_overdue && <Tag color="red">超时</Tag>}</>
}

function RefuseDialog({ apply_ids, onClose, onDone }: { apply_ids: string[] } & Frame): ReactNode {
  return <ReasonDialog title="拒绝访客" save={refuse_reason => call(visitApi.refuse, { apply_ids, refuse_reason }, { quiet: true })} onClose={onClose} onDone={onDone} />
}

type Act = ReturnType<typeof useAct>['act']

function actsOf(frame: Frame, pass: (ids: string[]) => unknown, act: Act): (row: VisitRow) => ReactNode {
  return row => <Acts row={row} frame={frame} pass={pass} act={act} />
}

function Acts({ row, frame, pass, act }: { row: VisitRow; frame: Frame; pass: (ids: string[]) => unknown; act: Act }): ReactNode {
  const { apply_id, visitor_name, state } = row
  const { open, onClose, onDone } = frame
  const refuse = () => open(<RefuseDialog apply_ids={[apply_id]} {...frame} />)
  const show = () => open(<VisitDrawer apply_id={apply_id} onClose={onClose} />)
  const print = () => open(<SlipDialog apply_id={apply_id} onClose={onClose} />)
  const save = (reason: string) => call(visitApi.cancel, { apply_id, reason }, { quiet: true })
  const cancel = () => open(<ReasonDialog title="取消来访" save={save} onClose={onClose} onDone={onDone} />)
  const direct = (run: () => Promise<unknown>, done: string) => void act(run, { done })
  return (
    <>
      {state === waits && <Can code={visitApi.pass}><Button type="link" size="small" aria-label={`同意 ${visitor_name}`} onClick={() => void pass([apply_id])}>同意</Button><Button type="link" size="small" danger aria-label={`拒绝 ${visitor_name}`} onClick={refuse}>拒绝</Button></Can>}
      {state === approved && <Can code={visitApi.arrive}><Button type="link" size="small" aria-label={`到访登记 ${visitor_name}`} onClick={() => direct(() => call(visitApi.arrive, { apply_id }, { quiet: true }), '已登记到访')}>到访登记</Button></Can>}
      {state === arrived && <Can code={visitApi.leave}><Button type="link" size="small" aria-label={`离校登记 ${visitor_name}`} onClick={() => direct(() => call(visitApi.leave, { apply_id }, { quiet: true }), '已登记离校')}>离校登记</Button></Can>}
      <Button type="link" size="small" aria-label={`详情 ${visitor_name}`} onClick={show}>详情</Button>
      {(state === approved || state === arrived) && <Can code={visitApi.slip}><Button type="link" size="small" aria-label={`打印 ${visitor_name}`} onClick={print}>打印</Button></Can>}
      {(state === waits || state === approved) && (
        <Can code={visitApi.cancel}><Button type="link" size="small" danger aria-label={`取消 ${visitor_name}`} onClick={cancel}>取消</Button></Can>
      )}
    </>
  )
}

const black_fields = fieldsOf(blackList, { name: { default_action: true } })

function Blacklist({ head }: { head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const list = useResourceList(blackApi.list, black_fields, { part: 'black' })
  const written = () => void list.refresh()
  const add = () => open(<BlackDialog onClose={close} onDone={written} />)
  const lift = ({ black_id }: BlackRow) => open(<ReasonDialog title="解除黑名单" save={reason => call(blackApi.lift, { black_id, reason }, { quiet: true })} onClose={close} onDone={written} />)
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={['keyword', 'state']} />}
      more={<ImportButton code={blackApi.create} template="access_blacklist" title="访客黑名单导入" label="导入" unit="人" onApplied={written} />}
      actions={<Can code={blackApi.create}><Button type="primary" onClick={add}>加入黑名单</Button></Can>}
    >
      <Table of={list} show={['name', 'mobile_tail', 'plate', 'reason', 'valid_from', 'valid_to', 'created_by_name', 'lifted_at']} more={['lift_reason']} row={liftButton(lift)} row_width={72} empty="黑名单为空" />
      {dialog}
    </ListPage>
  )
}

function liftButton(lift: (row: BlackRow) => void): (row: BlackRow) => ReactNode {
  return row => row.lifted_at === null && <Can code={blackApi.lift}><Button type="link" size="small" aria-label={`解除 ${row.name ?? row.reason}`} onClick={() => lift(row)}>解除</Button></Can>
}
