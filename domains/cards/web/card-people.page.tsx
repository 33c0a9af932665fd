import { IdcardOutlined } from '@ant-design/icons'
import { blockChannel, card_acts, cardApi, cardList } from '@campus/cards/contract'
import type { CardAct, CardPerson, HeldCard } from '@campus/cards/contract'
import { useDeptTree } from '@campus/people/web'
import { call, Can, Filters, ImportButton, ListPage, Table, TreePanel, useCan, useChannel, useMay, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import type { PageSearch } from '@kit/web'
import { Button, Dropdown } from 'antd'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { cardFields } from './card.fields.tsx'
import { act_words, mainCard } from './card-words.ts'
import { ReaderDock } from './reader-dock.tsx'
import './cards.css'

const IssueDialog = lazyDialog(() => import('./card-dialogs.tsx').then(part => part.IssueDialog))
const LossDialog = lazyDialog(() => import('./card-dialogs.tsx').then(part => part.LossDialog))
const ReplaceDialog = lazyDialog(() => import('./card-dialogs.tsx').then(part => part.ReplaceDialog))
const RevokeDialog = lazyDialog(() => import('./card-dialogs.tsx').then(part => part.RevokeDialog))
const RenewDialog = lazyDialog(() => import('./card-dialogs.tsx').then(part => part.RenewDialog))
const BlockDrawer = lazyDialog(() => import('./block-drawer.tsx').then(part => part.BlockDrawer))
const ClassIssue = lazyDialog(() => import('./class-issue.tsx').then(part => part.ClassIssue))
const SettingDialog = lazyDialog(() => import('./setting-dialog.tsx').then(part => part.SettingDialog))

const [pupils, staff, parents] = [1, 2, 3] as const
const parts = { 1: 'student', 2: 'teacher', 3: 'parent' } as const
type Chosen = { person: CardPerson; card: HeldCard }

export const StudentCards = (): ReactNode => <CardPeople kind={pupils} />
export const TeacherCards = (): ReactNode => <CardPeople kind={staff} />
export const ParentCards = (): ReactNode => <CardPeople kind={parents} />

/** 卡管理 of one kind of people: who has which card, every act on it, and the reader at hand (chapter 40 §5). */
function CardPeople({ kind }: { kind: 1 | 2 | 3 }): ReactNode {
  const { search, setSearch } = usePage()
  const { open, close, dialog } = useDialog()
  const fields = useMemo(() => cardFields(kind === parents, (card, person) => card.block && open(<BlockDrawer op_id={card.block.op_id} card={card} person={person} onClose={close} />)), [kind, open, close])
  const fixed = useMemo(() => ({ kind: String(kind), include_sub: '1' }), [kind])
  const list = useResourceList(cardApi.list, fields, { fixed, part: parts[kind] })
  const [docked, dock] = useState(false)
  const chosen = list.rows.filter(row => list.selected.includes(row.user_id)).flatMap(toChosen)
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const again = () => void list.refresh()
  useChannel(blockChannel, again, { onGap: again })
  const { act } = useAct([cardApi.progress], written)
  const frame = { onClose: close, onDone: written }
  const set = () => open(<SettingDialog onClose={close} />)
  const run = (code: CardAct, of: readonly Chosen[], person?: CardPerson) => {
    const [first] = of
    if (code === 'issue' && person) return open(<IssueDialog person={person} {...frame} />)
    if (!first) return undefined
    if (code === 'loss') return open(<LossDialog chosen={of} {...frame} />)
    if (code === 'revoke') return open(<RevokeDialog chosen={of} {...frame} />)
    if (code === 'renew') return open(<RenewDialog chosen={of} {...frame} />)
    if (code === 'reissue' || code === 'reissue_fast' || code === 'exchange') return open(<ReplaceDialog {...first} mode={code} {...frame} />)
    return void act(() => direct(code, of), { done: `已${act_words[code].label}` })
  }
  return (
    <div className={docked ? 'card-page card-docked' : 'card-page'}>
      <ListPage
        of={list}
        side={kind === parents ? undefined : <ClassTree kind={kind} chosen={search.dept_id} choose={dept_id => setSearch(withDept(search, dept_id))} />}
        filters={<Filters of={list} show={['keyword', 'state', 'has_card', 'card_type', 'valid_before']} />}
        batch={<BatchActs chosen={chosen} run={code => run(code, chosen.filter(({ card }) => card.allowed_ops.includes(code)))} />}
        actions={
          <>
            {search.dept_id !== undefined && kind !== parents && <ClassIssueButton kind={kind} dept_id={search.dept_id} open={open} {...frame} />}
            <Button icon={<IdcardOutlined aria-hidden />} aria-pressed={docked} onClick={() => dock(!docked)}>读卡器</Button>
            <ImportButton code="cards.card.import" template="card" title="卡片导入" label="批量导入" unit="张" onApplied={written} />
            <ListExport of={list} fact={cardList} call={cardApi.export} fixed={fixed} />
            <Can code="cards.setting.edit"><Button onClick={set}>设置</Button></Can>
          </>
        }
      >
        <Table
          of={list}
          show={kind === parents ? ['user_name', 'user_no', 'child_names', 'card_no', 'state', 'valid_to'] : ['user_name', 'user_no', 'dept_name', 'card_no', 'state', 'slaves', 'social', 'valid_to']}
          more={['print_no', 'deposit', 'issued_at']}
          row={rowActs(run)}
          row_width={132}
          selectable
          empty={kind === pupils ? '还没有学生，请先在学生家长档案中导入名册' : '没有人员'}
        />
        {dialog}
      </ListPage>
      {docked && <ReaderDock title="查询" />}
    </div>
  )
}

function withDept(search: PageSearch, dept_id: string | undefined): PageSearch {
  const rest = Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'page_index' && name !== 'dept_id'))
  return dept_id === undefined ? rest : { ...rest, dept_id }
}

function toChosen(person: CardPerson): Chosen[] {
  const card = mainCard(person)
  return card ? [{ person, card }] : []
}

/** Acts that ask nothing: they run at once and can be taken back by their opposite. */
function direct(code: CardAct, of: readonly Chosen[]): Promise<unknown> {
  const card_ids = of.map(one => one.card.card_id)
  const [card_id = ''] = card_ids
  if (code === 'cancel_loss') return call(cardApi.cancelLoss, { card_id }, { quiet: true })
  if (code === 'freeze') return call(cardApi.freeze, { card_ids }, { quiet: true })
  return call(cardApi.unfreeze, { card_ids }, { quiet: true })
}

type Run = (code: CardAct, of: readonly Chosen[], person?: CardPerson) => void

function rowActs(run: Run): (person: CardPerson) => ReactNode {
  return person => <RowActs person={person} run={(code, of) => run(code, of, person)} />
}

/** What may be done with the main card, the most usual act as a button and the rest below 更多. */
function RowActs({ person, run }: { person: CardPerson; run: (code: CardAct, of: readonly Chosen[]) => void }): ReactNode {
  const may = useMay()
  const card = mainCard(person)
  const codes: readonly CardAct[] = (card ? [...card.allowed_ops, 'issue' as const] : ['issue' as const]).filter(code => code !== 'void' && may(act_words[code].need))
  const [first, ...rest] = codes
  if (first === undefined) return null
  const of = card ? [{ person, card }] : []
  const label = (code: CardAct) => (code === 'issue' && card ? '发副卡' : act_words[code].label)
  return (
    <>
      <Button type="link" size="small" aria-label={`${label(first)} ${person.user_name}`} onClick={() => run(first, of)}>{label(first)}</Button>
      {rest.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items: rest.map(code => ({ key: code, label: label(code) })), onClick: ({ key }) => card_acts.filter(code => code === key).forEach(code => run(code, of)) }}>
          <Button type="link" size="small" aria-label={`更多 ${person.user_name}`}>更多</Button>
        </Dropdown>
      )}
    </>
  )
}

/** Acts on the main cards of the ticked people, each with how many of them take it. */
function BatchActs({ chosen, run }: { chosen: readonly Chosen[]; run: (code: CardAct) => void }): ReactNode {
  const may = useMay()
  const codes = (['loss', 'revoke', 'renew', 'freeze', 'unfreeze'] as const).filter(code => may(act_words[code].need))
  return codes.map(code => {
    const count = chosen.filter(({ card }) => card.allowed_ops.includes(code)).length
    return <Button key={code} disabled={count === 0} onClick={() => run(code)}>{`${act_words[code].label}（${count}）`}</Button>
  })
}

/** The classes with how many of their people have a card. */
function ClassTree({ kind, chosen, choose }: { kind: 1 | 2; chosen: string | undefined; choose: (dept_id: string | undefined) => void }): ReactNode {
  const tree = useDeptTree(undefined, kind === pupils ? 'student' : 'staff')
  return <TreePanel name={`cards-${kind}`} load={tree.load} search={tree.search} selected={chosen} onSelect={choose} />
}

type ClassIssueProps = { kind: number; dept_id: string; open: (element: ReactNode) => void; onClose: () => void; onDone: () => void }

/** 连续发卡 of the chosen class, with how many still wait. */
function ClassIssueButton({ kind, dept_id, open, ...frame }: ClassIssueProps): ReactNode {
  const may = useCan(cardApi.issue)
  const tree = useDeptTree(undefined, kind === pupils ? 'student' : 'staff')
  const { data } = useCall(cardApi.progress, { kind }, { enabled: may })
  const own = (data?.list ?? []).find(one => one.dept_id === dept_id)
  if (!may) return null
  const label = own ? `连续发卡（${own.issued}/${own.total}）` : '连续发卡'
  const begin = () => open(<ClassIssue kind={kind} dept_id={dept_id} dept_name={tree.nameOf(dept_id) ?? ''} {...frame} />)
  return <Button type="primary" onClick={begin}>{label}</Button>
}

