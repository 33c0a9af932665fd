import { PlusOutlined } from '@ant-design/icons'
import { attendSettingApi, ruleApi, ruleList } from '@campus/attendance/contract'
import type { RuleRow } from '@campus/attendance/contract'
import { call, Can, fieldsOf, Filters, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Button, Dropdown, Tag } from 'antd'
import type { ReactNode } from 'react'
import '../attendance.css'

const RuleDialog = lazyDialog(() => import('./rule-dialog.tsx').then(part => part.RuleDialog))
const VersionsDrawer = lazyDialog(() => import('./versions-drawer.tsx').then(part => part.VersionsDrawer))
const RecomputeDialog = lazyDialog(() => import('./recompute-dialog.tsx').then(part => part.RecomputeDialog))
const SettingDialog = lazyDialog(() => import('./setting-dialog.tsx').then(part => part.SettingDialog))

const described = fieldsOf(ruleList, { rule_name: { default_action: true }, enabled: { cell: row => <Tag color={row.enabled ? 'green' : 'default'}>{row.enabled ? '启用' : '停用'}</Tag> } })

/** 考勤规则: what counts as in time, late and absent, in versions (chapter 55 §5). */
export default function AttendanceRule(): ReactNode {
  const list = useResourceList(ruleApi.list, described)
  const may_edit = useCan(ruleApi.update)
  const { open, close, dialog } = useDialog()
  const written = () => void list.refresh()
  const frame = { onClose: close, onDone: written }
  const add = () => open(<RuleDialog rule={null} {...frame} />)
  const edit = (rule: RuleRow) => open(<RuleDialog rule={rule} {...frame} />)
  const versions = (rule: RuleRow) => open(<VersionsDrawer rule={rule} onClose={close} />)
  const recompute = () => open(<RecomputeDialog onClose={close} />)
  const settings = () => open(<SettingDialog onClose={close} />)
  return (
    <ListPage
      of={list} filters={<Filters of={list} show={['keyword', 'kind', 'person_kind', 'state']} />}
      actions={
        <>
          <Can code="attendance.recompute.run"><Button onClick={recompute}>重算考勤</Button></Can>
          <Can code={attendSettingApi.save}><Button onClick={settings}>考勤设置</Button></Can>
          <Can code={ruleApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新增规则</Button></Can>
        </>
      }
    >
      <Table
        of={list} show={['rule_name', 'person_kind', 'kind', 'body', 'arranges', 'version_no', 'effective_from', 'enabled']}
        row={rowActs({ may_edit, edit, versions, written })} row_width={132} empty="还没有规则：点“新增规则”，再到考勤安排中使用"
      />
      {dialog}
    </ListPage>
  )
}

type Doing = { may_edit: boolean; edit: (rule: RuleRow) => void; versions: (rule: RuleRow) => void; written: () => void }

function rowActs(doing: Doing): (rule: RuleRow) => ReactNode {
  return rule => <RowActs rule={rule} {...doing} />
}

function RowActs({ rule, may_edit, edit, versions, written }: Doing & { rule: RuleRow }): ReactNode {
  const { act } = useAct([], written)
  const { rule_id: id, rule_name, enabled, arranges } = rule
  const turn = () => void act(() => call(ruleApi.enable, { id, enabled: !enabled }, { quiet: true }), { done: enabled ? '已停用，已有安排继续使用' : '已启用' })
  const ask = { title: `删除规则“${rule_name}”？`, touches: '没有安排使用的规则才能删除，历史版本保留备查。', ok: '删除' }
  const remove = () => void act(() => call(ruleApi.remove, { id }, { quiet: true }), { ask, done: '删除成功!' })
  const items = [
    { key: 'versions', label: '版本', onClick: () => versions(rule) },
    ...(may_edit ? [{ key: 'turn', label: enabled ? '停用' : '启用', onClick: turn }, { key: 'remove', label: '删除', danger: true, disabled: arranges > 0, onClick: remove }] : []),
  ]
  return (
    <>
      {may_edit && <Button type="link" size="small" aria-label={`编辑 ${rule_name}`} onClick={() => edit(rule)}>编辑</Button>}
      <Dropdown trigger={['click']} menu={{ items }}><Button type="link" size="small" aria-label={`更多 ${rule_name}`}>更多</Button></Dropdown>
    </>
  )
}
