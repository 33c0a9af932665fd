import { NOTICE_STATE } from '@campus/publishing/contract'
import type { PostAct, PostRow } from '@campus/publishing/contract'
import { call, Can, fieldsOf, Filters, instantText, ListPage, Table, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Link, useNavigate } from '@tanstack/react-router'
import { Alert, Button, Dropdown, Progress, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { percent, state_colors, variants } from './variants.ts'
import type { Variant } from './variants.ts'
import '../publishing.css'

const PublishDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.PublishDialog))
const ReasonDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.ReasonDialog))
const RemindDialog = lazyDialog(() => import('./remind-dialog.tsx').then(part => part.RemindDialog))

export const FamilyNotices = (): ReactNode => <PostList variant={variants.family} />
export const StaffNotices = (): ReactNode => <PostList variant={variants.staff} />
export const Collections = (): ReactNode => <PostList variant={variants.collection} />
export const OldCollections = (): ReactNode => <PostList variant={variants.before} />

const act_words: Readonly<Record<PostAct, string>> = { edit: '编辑', publish: '发布', approve: '审核', cancel: '取消', recall: '撤回', republish: '重新发布', remind: '提醒', delete: '删除' }

function fieldsFor(variant: Variant) {
  return fieldsOf(variant.list, {
    title: { default_action: true, cell: row => <Link className="kit-link" to={variant.detail} search={{ id: row.id }}>{row.title}</Link> },
    kind: {},
    state: { cell: row => <Tag color={state_colors[row.state]}>{NOTICE_STATE.names[row.state]}</Tag> },
    read: { cell: row => (row.expected === null ? '' : <Progress size="small" aria-label="已读" percent={percent(row.read, row.expected)} format={() => `${row.read}/${row.expected}`} />) },
    sent_at: { cell: row => <SentAt row={row} /> },
  })
}

/** Two hours after its planned time a post is marked as late (chapter 60 rule 13). */
const late_ms = 2 * 3_600_000

function SentAt({ row: { sent_at, publish_at } }: { row: PostRow }): ReactNode {
  if (sent_at === null) return publish_at === null ? '' : `定于 ${instantText(publish_at)}`
  const is_late = publish_at !== null && Date.parse(sent_at) - Date.parse(publish_at) > late_ms
  return <>{instantText(sent_at)} {is_late && <Tag color="orange">延迟发布</Tag>}</>
}

/** One list for notices and collections (chapter 60 §5): reach at a glance, and every act of a post. */
function PostList({ variant }: { variant: Variant }): ReactNode {
  const { api, word } = variant
  const { title } = usePage()
  const fixed = useMemo((): Record<string, string> => (variant.word === '收集' ? { edition: String(variant.edition) } : { scene: String(variant.scene) }), [variant])
  const fields = useMemo(() => fieldsFor(variant), [variant])
  const list = useResourceList(api.list, fields, { fixed, part: variant.home.slice(1) })
  const { open, close, dialog } = useDialog()
  const navigate = useNavigate()
  const { act } = useAct([], () => { list.select([]); void list.refresh() })
  const drafts = list.rows.filter(row => list.selected.includes(row.id) && row.can.includes('delete'))
  const frame = { onClose: close, onDone: () => void list.refresh() }
  const run = (code: PostAct, row: PostRow) => {
    const { id } = row
    if (code === 'edit') return void navigate({ to: variant.add, search: { id } })
    if (code === 'publish' || code === 'republish') return open(<PublishDialog api={api} id={id} again={code === 'republish'} {...frame} />)
    if (code === 'recall') return open(<ReasonDialog title={`撤回“${row.title}”`} about="撤回后读者立即看不到正文，阅读记录保留。" ok="撤回" save={reason => call(api.recall, { id, reason }, { quiet: true })} {...frame} />)
    if (code === 'approve') return open(<ReasonDialog title={`审核“${row.title}”`} ok="通过" optional refuse="驳回" save={(reason, pass) => call(api.approve, { id, pass, reason }, { quiet: true })} {...frame} />)
    if (code === 'remind') return open(<RemindDialog api={api} id={id} reply_kind={row.reply_kind} {...frame} />)
    if (code === 'cancel') return void act(() => call(api.cancel, { id }, { quiet: true }), { ask: { title: `取消发布“${row.title}”？`, ok: '取消发布' }, done: '已取消' })
    return void act(() => call(api.remove, { id }, { quiet: true }), { ask: { title: `删除“${row.title}”？删除后不能恢复`, ok: '删除' }, done: '已删除' })
  }
  const copy = (row: PostRow) => act(() => call(api.copy, { id: row.id, ...(variant.edition === 1 ? { edition: 2 } : {}) }, { quiet: true }), { done: variant.edition === 1 ? '已转为新版草稿' : '已复制为草稿' })
  const removeDrafts = () => act(() => Promise.all(drafts.map(row => call(api.remove, { id: row.id }, { quiet: true }))), { ask: { title: `删除所选 ${drafts.length} 条？`, ok: '删除' }, done: '已删除' })
  return (
    <ListPage
      of={list}
      head={variant.edition === 1 && <Alert type="info" showIcon title="旧版只收集文字回复；点“转为新版”可改用表单逐题收集。" />}
      filters={<Filters of={list} show={variant.word === '收集' ? ['keyword', 'state', 'mine', 'from'] : ['keyword', 'state', 'kind', 'mine', 'from']} />}
      batch={<Can code={api.remove}><Button danger disabled={drafts.length === 0} onClick={() => void removeDrafts()}>删除草稿（{drafts.length}）</Button></Can>}
      actions={
        <>
          <Can code={api.add}><Link to={variant.add}><Button type="primary">新建{word}</Button></Link></Can>
          <ListExport of={list} fact={variant.list} call={api.exportList} fixed={fixed} />
        </>
      }
    >
      <Table
        of={list} show={['title', ...(variant.word === '收集' ? [] : ['kind' as const]), 'state', 'audience_text', 'read', 'submitted', 'unreachable', 'sent_at']} more={['author_name', 'owner_dept_name', 'due_at', 'created_at']} selectable
        row={rowActs({ variant, run, copy })} row_width={160} empty={`还没有${title}：点“新建${word}”写第一条`}
      />
      {dialog}
    </ListPage>
  )
}

type Acts = { variant: Variant; run: (code: PostAct, row: PostRow) => void; copy: (row: PostRow) => unknown }

function rowActs(acts: Acts): (row: PostRow) => ReactNode {
  return row => <RowActs row={row} {...acts} />
}

function RowActs({ row, variant, run, copy }: Acts & { row: PostRow }): ReactNode {
  const [first, ...rest] = row.can
  const more = [...rest.map(code => ({ key: code, label: act_words[code], danger: code === 'delete', onClick: () => run(code, row) })), { key: 'copy', label: variant.edition === 1 ? '转为新版' : '复制', danger: false, onClick: () => void copy(row) }]
  return (
    <>
      {row.sent_at !== null && <Link className="kit-link" to={variant.stats} search={{ id: row.id }} aria-label={`统计 ${row.title}`}>统计</Link>}
      {first !== undefined && <Button type="link" size="small" aria-label={`${act_words[first]} ${row.title}`} onClick={() => run(first, row)}>{act_words[first]}</Button>}
      <Dropdown trigger={['click']} menu={{ items: more }}><Button type="link" size="small" aria-label={`更多 ${row.title}`}>更多</Button></Dropdown>
    </>
  )
}
