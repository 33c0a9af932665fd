import { commandStateText, door_kinds, door_sources, doorApi, DoorCommandRow, doorQrApi, open_reasons } from '@campus/access/contract'
import type { DoorQrRow } from '@campus/access/contract'
import { AppModal, call, Can, fields, instantText, ListPage, Table, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, QRCode, Table as AntTable, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

const colors: Readonly<Record<string, string>> = { QUEUED: 'blue', SENT: 'blue', SUCCESSFUL: 'green', FAILED: 'red', TIMEOUT: 'orange', EXPIRED: 'default' }
const reason_names: Readonly<Record<string, string>> = open_reasons
const source_names: Readonly<Record<string, string>> = door_sources
const command_fields = fields(DoorCommandRow, 'command_id', {
  asked_at: { label: '时间', width: 144, kind: 'instant' },
  device_name: { label: '门', width: 140, default_action: true },
  place_name: { label: '位置', width: 120 },
  kind: { label: '指令', width: 88, cell: row => door_kinds[row.kind] },
  state: { label: '结果', width: 120, cell: row => <Tag color={colors[row.state ?? ''] ?? 'default'}>{`${commandStateText(row.state)}${row.seconds === null ? '' : ` ${row.seconds.toFixed(1)}秒`}`}</Tag> },
  reason: { label: '原因', width: 200, cell: row => `${reason_names[row.reason_code] ?? ''}：${row.reason}` },
  by_name: { label: '操作人', width: 96, cell: row => row.by_name ?? '系统' },
  source: { label: '来源', width: 104, cell: row => source_names[String(row.source)] ?? '' },
  hold_until: { label: '保持到', width: 144, kind: 'instant' },
  reply_text: { label: '设备说明', width: 160 },
})

/** 指令记录: who told which door what, why, and whether it did. */
export function DoorCommands(): ReactNode {
  const list = useResourceList(doorApi.commands, command_fields, { part: 'command' })
  return (
    <ListPage of={list} filters={null}>
      <Table of={list} show={['asked_at', 'device_name', 'place_name', 'kind', 'state', 'reason', 'by_name', 'source']} more={['hold_until', 'reply_text']} empty="还没有对门下过指令" />
    </ListPage>
  )
}

const CodeDialog = lazyDialog(() => Promise.resolve(CodesDialog))

/** 门牌二维码: which doors have a code, with what is printed. */
export function DoorCodes({ keyword }: { keyword: string }): ReactNode {
  const query = useCall(doorQrApi.list, keyword === '' ? {} : { keyword }, { keep: true })
  const [chosen, setChosen] = useState<string[]>([])
  const { open, close, dialog } = useDialog()
  const { act } = useAct([doorQrApi.list])
  const enable = (enabled: boolean) => void act(() => call(doorQrApi.enable, { device_ids: chosen, enabled }, { quiet: true }), { done: enabled ? '已启用' : '已停用' })
  const print = (rows: readonly DoorQrRow[]) => open(<CodeDialog rows={rows} onClose={close} />)
  const rotate = () => void act(() => call(doorQrApi.rotate, { device_ids: chosen }, { quiet: true }), { ask: { title: '更换后，门上张贴的二维码立即失效，需要重新打印，确定更换吗？', ok: '更换' }, done: '二维码已更换，请重新打印' })
  return (
    <Loaded query={query}>
      {({ list }) => {
        const printed = list.filter(row => chosen.includes(row.device_id) && row.token !== null)
        return (
          <div data-ready="door-codes">
            <p className="access-hint">登录本校账号的手机扫码后按通行规则判断，有权才开门；二维码本身不能开门。</p>
            <p>
              <Can code={doorQrApi.enable}>
                <Button disabled={chosen.length === 0} onClick={() => enable(true)}>启用</Button> <Button disabled={chosen.length === 0} onClick={() => enable(false)}>停用</Button> <Button danger disabled={chosen.length === 0} onClick={rotate}>更换</Button>
              </Can> <Button disabled={printed.length === 0} onClick={() => print(printed)}>打印</Button>
            </p>
            <AntTable<DoorQrRow>
              size="small" rowKey="device_id" columns={code_columns} dataSource={list} pagination={{ pageSize: 20, showSizeChanger: false, hideOnSinglePage: true }}
              rowSelection={{ selectedRowKeys: chosen, onChange: keys => setChosen(keys.map(String)) }}
            />
            {dialog}
          </div>
        )
      }}
    </Loaded>
  )
}

const code_columns: TableColumnType<DoorQrRow>[] = [
  { title: '门', dataIndex: 'device_name' }, { title: '位置', dataIndex: 'place_name' },
  { title: '状态', key: 'enabled', width: 96, render: (_, row) => <Tag color={row.enabled ? 'green' : 'default'}>{row.enabled ? '已启用' : '未启用'}</Tag> },
  { title: '版本', dataIndex: 'token_version', width: 80, align: 'right' },
  { title: '最近使用', key: 'used', width: 160, render: (_, row) => (row.last_used_at === null ? '—' : instantText(row.last_used_at)) },
]

function CodesDialog({ rows, onClose }: { rows: readonly DoorQrRow[]; onClose: () => void }): ReactNode {
  return (
    <AppModal open width={760} title="门牌二维码" okText="打印" onOk={() => window.print()} onCancel={onClose}>
      <div className="door-codes">
        {rows.map(row => (
          <div key={row.device_id} className="door-code">
            <QRCode type="svg" value={new URL(`/mini/door/?t=${row.token ?? ''}`, location.origin).href} size={180} errorLevel="M" aria-label={`${row.device_name}的二维码`} />
            <b>{row.device_name}</b>
            <p>{row.place_name}</p>
          </div>
        ))}
      </div>
    </AppModal>
  )
}
