import type { ReachRow, ReachWay } from '@campus/identity/contract'
import { Pagination, Table } from '@kit/web'
import type { Fields } from '@kit/web'
import { Button, Select, Tag } from 'antd'
import Search from 'antd/es/input/Search'
import type { ReactNode } from 'react'
import { useKind } from './app-kind.ts'
import { useReach } from './use-reach.ts'
import type { ReachField } from './use-reach.ts'
import type { PeopleDraft } from './use-people-draft.ts'

const way_words: Readonly<Record<ReachWay, string>> = { user: '指定人员', dept: '部门/年级', role_group: '角色组', everyone: '全部人员' }
const ways: readonly ReachWay[] = ['user', 'dept', 'role_group', 'everyone']

const reachFields: Fields<ReachRow, ReachField> = {
  key: 'user_id',
  of: {
    user_name: { label: '姓名', width: 110, default_action: true },
    user_no: { label: '编号', width: 110 },
    dept_name: { label: '部门', width: 150, cell: ({ dept_name }) => dept_name ?? '—' },
    ways: { label: '来源', width: 180, cell: row => row.ways.map(way => <Tag key={way} color={way === 'user' ? 'blue' : undefined}>{way_words[way]}</Tag>) },
  },
}

/** 覆盖人员: how many the draft reaches against what is saved, and who, each with the reason. */
export function ReachTable({ draft, can_edit }: { draft: PeopleDraft; can_edit: boolean }): ReactNode {
  const { kind } = useKind()
  const { reply, is_fresh, list, asked, ask } = useReach(draft.query, reachFields)
  const drop = ({ user_id, user_name }: ReachRow) => {
    const was_added = draft.added.some(({ value }) => value === user_id)
    if (was_added) draft.change({ added: draft.added.filter(({ value }) => value !== user_id) })
    else draft.change({ dropped: [...draft.dropped, { value: user_id, label: user_name }] })
  }
  return (
    <section className="kit-list-card app-role-reach" aria-label="覆盖人员">
      <div className="app-role-reach-head">
        <p aria-live="polite" aria-busy={!is_fresh}>
          {draft.is_dirty ? '保存后覆盖' : '当前覆盖'} <b className="kit-number">{reply ? reply.reached.toLocaleString('zh-CN') : '…'}</b> 人
          {draft.is_dirty && reply && <Change from={reply.reached_now} to={reply.reached} />}
          {reply && <small>{ways.filter(way => reply.by[way] > 0).map(way => `${way_words[way]}${reply.by[way].toLocaleString('zh-CN')}`).join('，')}</small>}
        </p>
        <div className="kit-toolbar-actions">
          <Select<ReachWay> aria-label="来源" className="app-role-reach-way" allowClear placeholder="全部来源" options={ways.map(value => ({ value, label: way_words[value] }))} value={asked.way} onChange={way => ask({ way })} />
          <Search className="app-role-reach-word" allowClear maxLength={50} placeholder="姓名/拼音/编号" aria-label="查找覆盖人员" onSearch={text => ask({ keyword: text.trim() || undefined })} />
        </div>
      </div>
      {reply && reply.total < reply.reached && asked.way === undefined && asked.keyword === undefined && <p className="role-hint">列表只含您数据范围内的{reply.total.toLocaleString('zh-CN')}人。</p>}
      <Table of={list} show={kind === 'parent' ? ['user_name', 'user_no', 'ways'] : ['user_name', 'user_no', 'dept_name', 'ways']} row={can_edit ? rowActions(drop) : undefined} row_width={72} empty="还没有覆盖任何人，在左侧选择范围" />
      <Pagination of={list} />
    </section>
  )
}

function Change({ from, to }: { from: number; to: number }): ReactNode {
  const more = to - from
  return <small>（现在{from.toLocaleString('zh-CN')}人，{more === 0 ? '人数不变' : <span className={more > 0 ? 'matrix-plus' : 'matrix-minus'}>{more > 0 ? '+' : '−'}{Math.abs(more).toLocaleString('zh-CN')}</span>}）</small>
}

function rowActions(drop: (row: ReachRow) => void): (row: ReachRow) => ReactNode {
  return row => (row.ways.includes('user') ? <Button type="link" size="small" aria-label={`移出 ${row.user_name}`} onClick={() => drop(row)}>移出</Button> : null)
}
