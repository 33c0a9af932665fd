import { PlusOutlined } from '@ant-design/icons'
import { whitelistApi } from '@campus/people/contract'
import type { WhitelistRow } from '@campus/people/contract'
import { call, Can, Filters, ImportButton, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Button, Tooltip } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { mayRemove } from './whitelist-words.ts'
import { whitelistFields } from './whitelist.fields.tsx'
import './whitelist.css'

const AddDialog = lazyDialog(() => import('./add-dialog.tsx').then(part => part.AddDialog))
const RemoveDialog = lazyDialog(() => import('./remove-dialog.tsx').then(part => part.RemoveDialog))

const second_person = '需由另一位管理员复核'

/** 支付宝白名单: who may pay by which account; entered by one person, approved by another. */
export default function WhiteList(): ReactNode {
  const list = useResourceList(whitelistApi.page, useMemo(() => whitelistFields(), []))
  const { open, close, dialog } = useDialog()
  const may_approve = useCan(whitelistApi.approve)
  const chosen = list.rows.filter(row => list.selected.includes(row.id))
  const waiting = chosen.filter(row => row.state === 'pending')
  const removable = chosen.filter(mayRemove)
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { busy, act } = useAct([], written)
  const add = () => open(<AddDialog onClose={close} onDone={written} />)
  const remove = (rows: readonly WhitelistRow[]) => open(<RemoveDialog rows={rows} onClose={close} onDone={written} />)
  const approve = (rows: readonly WhitelistRow[]) => act(() => call(whitelistApi.approve, { ids: rows.map(row => row.id) }, { quiet: true }), {
    done: ({ approved, pushed }) => `已复核 ${approved} 条，${pushed > 0 ? '已提交支付渠道' : '支付渠道开通后自动提交'}`,
  })
  const others = waiting.filter(row => !row.is_own)
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'state', 'purpose', 'person_kind']} />}
      batch={
        <>
          {may_approve && waiting.length > 0 && <Tooltip title={others.length < waiting.length ? second_person : ''}><Button disabled={others.length < waiting.length} loading={busy} onClick={() => void approve(waiting)}>复核（{waiting.length}）</Button></Tooltip>}
          {removable.length > 0 && <Button danger onClick={() => remove(removable)}>移除（{removable.length}）</Button>}
        </>
      }
      actions={
        <>
          <Can code={whitelistApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新增</Button></Can>
          <ImportButton code="people.whitelist.edit" template="alipay_whitelist" title="支付宝白名单导入" label="批量导入" unit="条" onApplied={written} />
        </>
      }
    >
      <Table
        of={list}
        show={['user_name', 'dept_name', 'payer_name', 'alipay_logon', 'purpose', 'state', 'channel_msg', 'created_by_name', 'approved_by_name']}
        more={['user_no', 'created_at']}
        row={actionsOf({ busy, approve: may_approve ? row => void approve([row]) : null, remove: row => remove([row]) })}
        row_width={104}
        selectable
        empty="白名单还没有人员：点“新增”逐个登记，或用“批量导入”"
      />
      {dialog}
    </ListPage>
  )
}

type Doing = { busy: boolean; approve: ((row: WhitelistRow) => void) | null; remove: (row: WhitelistRow) => void }

function actionsOf(doing: Doing): (row: WhitelistRow) => ReactNode {
  return row => <Acts row={row} {...doing} />
}

function Acts({ row, busy, approve, remove }: Doing & { row: WhitelistRow }): ReactNode {
  return (
    <>
      {row.state === 'pending' && approve && (
        <Tooltip title={row.is_own ? second_person : ''}>
          <Button type="link" size="small" disabled={row.is_own || busy} aria-label={`复核 ${row.user_name}`} onClick={() => approve(row)}>复核</Button>
        </Tooltip>
      )}
      {mayRemove(row) && <Button type="link" size="small" danger disabled={busy} aria-label={`移除 ${row.user_name}`} onClick={() => remove(row)}>移除</Button>}
    </>
  )
}
