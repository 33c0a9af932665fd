import { abnormal_kinds, abnormal_states, abnormalApi, abnormalList } from '@campus/access/contract'
import type { AbnormalRow } from '@campus/access/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, Table, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Radio, Tag } from 'antd'
import type { ReactNode } from 'react'

const PassDrawer = lazyDialog(() => import('../pass/pass-drawer.tsx').then(part => part.PassDrawer))
const HandleDialog = lazyDialog(() => Promise.resolve(Handle))
const kind_names: Readonly<Record<string, string>> = abnormal_kinds
const state_names: Readonly<Record<string, string>> = abnormal_states
const severity_looks: Readonly<Record<number, readonly [color: string, text: string]>> = {
  1: ['default', '一般'],
  2: ['orange', '重要'],
  3: ['red', '严重'],
}
const state_colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'red', 2: 'default', 3: 'green' }
const [waits, is_true] = [0, 1] as const

const fields = fieldsOf(abnormalList, {
  user_name: { default_action: true },
  severity: { cell: ({ severity }) => <Tag color={severity_looks[severity]?.[0]}>{severity_looks[severity]?.[1]}</Tag> },
  state: { cell: ({ state }) => <Tag color={state_colors[state]}>{state_names[String(state)]}</Tag> },
})

/** 异常通行: what waits first; each line opens its passes and is worked off with an opinion (chapter 35 R54). */
export function AbnormalList({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(abnormalApi.list, fields, { part: 'abnormal' })
  const counts = useCall(abnormalApi.count, {}, { keep: true })
  const { open, close, dialog } = useDialog()
  const done = () => {
    list.select([])
    void list.refresh()
    void counts.refetch()
  }
  const handle = (ids: string[]) => open(<HandleDialog ids={ids} onClose={close} onDone={done} />)
  const look = ({ evidence }: AbnormalRow) => {
    const [event_date = '', device_id = '', ...rest] = (evidence.at(-1) ?? '').split('/')
    open(<PassDrawer of={{ event_date, device_id, device_seq: rest.join('/') }} onClose={close} />)
  }
  const choose = (kind: number) => list.filterBy({ kind: String(kind), state: String(waits) })
  return (
    <ListPage
      of={list}
      head={
        <>
          {head}
          {counts.data && counts.data.waiting > 0 && (
            <p className="abnormal-counts">
              {`待处理 ${counts.data.waiting} 条：`}
              {counts.data.list.map(({ kind, count }) => (
                <Button
                  key={kind}
                  type="link"
                  size="small"
                  onClick={() => choose(kind)}
                >{`${kind_names[String(kind)] ?? ''} ${count}`}</Button>
              ))}
            </p>
          )}
        </>
      }
      filters={<Filters of={list} show={['keyword', 'kind', 'state', 'from']} />}
      batch={
        <Can code={abnormalApi.handle}>
          <Button onClick={() => handle(list.selected.map(String))}>处理</Button>
        </Can>
      }
      actions={<ListExport of={list} fact={abnormalList} call={abnormalApi.export} />}
    >
      <Table
        of={list}
        show={['at', 'kind', 'severity', 'user_name', 'dept_name', 'place_name', 'passes', 'detail', 'state']}
        more={['note', 'handled_by_name', 'handled_at']}
        row={acts(look, handle)}
        row_width={112}
        selectable
        empty="没有异常通行：越权、误拒、多次被拒、夜间通行等会自动出现在这里"
      />
      {dialog}
    </ListPage>
  )
}

function acts(look: (row: AbnormalRow) => void, handle: (ids: string[]) => void): (row: AbnormalRow) => ReactNode {
  return row => (
    <>
      {row.evidence.length > 0 && (
        <Button type="link" size="small" aria-label={`查看 ${row.user_name ?? '陌生人'} 的通行`} onClick={() => look(row)}>
          查看
        </Button>
      )}
      {row.state <= is_true && (
        <Can code={abnormalApi.handle}>
          <Button type="link" size="small" aria-label={`处理 ${row.user_name ?? '陌生人'}`} onClick={() => handle([row.abnormal_id])}>
            处理
          </Button>
        </Can>
      )}
    </>
  )
}

function Handle({ ids, onClose, onDone }: { ids: string[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ state: 1 | 2 | 3; note: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(abnormalApi.handle, { ids, ...values }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={`处理 ${ids.length} 条异常通行`}
      okText="确定"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="access-abnormal" layout="vertical" initialValues={{ state: 3 }}>
        <Form.Item name="state" label="处理结果">
          <Radio.Group options={results} />
        </Form.Item>
        <Form.Item name="note" label="处理意见" rules={[{ required: true, whitespace: true, min: 2, message: '处理意见为2到200个字' }]}>
          <Input.TextArea maxLength={200} showCount rows={3} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

const results = [
  { value: 1, label: '属实，待处置' },
  { value: 2, label: '误报' },
  { value: 3, label: '已处置' },
]
