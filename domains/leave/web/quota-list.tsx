import { quota_names, quotaApi, quotaList } from '@campus/leave/contract'
import type { QuotaRow } from '@campus/leave/contract'
import {
  AppModal,
  call,
  Can,
  fieldsOf,
  Filters,
  ImportButton,
  leaving,
  ListPage,
  Table,
  useCan,
  useResourceList,
  useSaving,
  validValues,
} from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Alert, Button, DatePicker, Form, Input, InputNumber, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { PersonPicker } from '@campus/people/web'

type Values = { user_id: string; quota_code: keyof typeof codes; days: number; expire_on?: Dayjs | null; note?: string }
const codes = { '03': '03', '04': '04', '07': '07', '11': '11', '12': '12' } as const
const types = Object.entries(quota_names).map(([value, label]) => ({ value, label }))
const half_day = 0.5

/** 假期额度: what is granted to staff, and what is left of it. */
export function QuotaList({ head }: { head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const fields = useMemo(() => fieldsOf(quotaList, {}), [])
  const list = useResourceList(quotaApi.page, fields, { part: 'quota' })
  const may_edit = useCan(quotaApi.correct)
  const written = () => void list.refresh()
  const grant = () => open(<EntryDialog onClose={close} onDone={written} />)
  const correct = (row: QuotaRow) => open(<EntryDialog of={row} onClose={close} onDone={written} />)
  return (
    <>
      <ListPage
        of={list}
        head={head}
        filters={<Filters of={list} show={['keyword']} />}
        actions={
          <>
            <Can code={quotaApi.give}>
              <Button type="primary" onClick={grant}>
                发放额度
              </Button>
            </Can>
            <ImportButton
              code="leave.quota.import"
              template="leave_quota"
              title="假期额度导入"
              label="批量导入"
              unit="条"
              onApplied={written}
            />
          </>
        }
      >
        <Table
          of={list}
          show={['user_name', 'user_no', 'dept_name', 'quota_code', 'granted', 'used', 'left', 'expire_on']}
          {...(may_edit ? { row: correctButton(correct), row_width: 64 } : {})}
          empty="还没有发放额度：点“发放额度”或用批量导入"
        />
      </ListPage>
      {dialog}
    </>
  )
}

function correctButton(correct: (row: QuotaRow) => void): (row: QuotaRow) => ReactNode {
  return row => (
    <Button type="link" size="small" aria-label={`更正 ${row.user_name} ${quota_names[row.quota_code] ?? ''}`} onClick={() => correct(row)}>
      更正
    </Button>
  )
}

/** Grants days, or corrects what somebody has: with a minus days are taken away. */
function EntryDialog({ of, onClose, onDone }: { of?: QuotaRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { days, note = '' } = values
    const { user_id, quota_code, expire_on } = values
    const granted = { user_id, quota_code, days, note, expire_on: expire_on?.format('YYYY-MM-DD') ?? null }
    const corrected = { user_id: of?.user_id ?? '', quota_code: codeOf(of?.quota_code ?? ''), days, note }
    const sent = () => (of ? call(quotaApi.correct, corrected, { quiet: true }) : call(quotaApi.give, granted, { quiet: true }))
    if (!(await run(sent, of ? '已更正' : '已发放'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={440}
      title={of ? `更正额度 · ${of.user_name} ${quota_names[of.quota_code] ?? ''}` : '发放额度'}
      okText={of ? '更正' : '发放'}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-quota" layout="vertical">
        {of && <p>当前剩余 {of.left} 天。</p>}
        {!of && <WhoFields />}
        <DaysField is_correction={of !== undefined} />
        <Form.Item name="note" label="说明"><Input maxLength={100} /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** Whose quota it is, of which leave, and until when. */
function WhoFields(): ReactNode {
  return (
    <>
      <Form.Item name="user_id" label="人员" rules={[{ required: true, message: '请选择人员' }]}><PersonPicker of={['teacher']} label="人员" /></Form.Item>
      <Form.Item name="quota_code" label="假别" rules={[{ required: true, message: '请选择假别' }]}><Select options={types} /></Form.Item>
      <Form.Item name="expire_on" label="到期日" extra="不填为长期有效"><DatePicker className="kit-fill" /></Form.Item>
    </>
  )
}

function DaysField({ is_correction }: { is_correction: boolean }): ReactNode {
  return (
    <Form.Item name="days" label="天数" rules={[{ required: true, message: '请填写天数' }]} extra={is_correction ? '减少填负数' : '以半天为单位'}>
      <InputNumber className="kit-fill" min={is_correction ? -366 : half_day} max={366} step={half_day} />
    </Form.Item>
  )
}

function codeOf(code: string): Values['quota_code'] {
  return Object.values(codes).find(one => one === code) ?? '03'
}
