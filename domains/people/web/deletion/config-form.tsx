import { userDeleteApi } from '@campus/people/contract'
import type { DeleteConfig, DeleteSettings } from '@campus/people/contract'
import { call, useSaving, validValues } from '@kit/web'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, Form, Input, InputNumber, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useUnsaved } from '../use-unsaved.ts'
import { ChecksTable } from './checks-table.tsx'
import { DueFigure } from './due-figure.tsx'
import { OperatorSelect } from './operator-select.tsx'

type Props = { settings: DeleteSettings; saved: () => Promise<unknown> }

/** The settings as sentences; the figure beside them follows what is typed. */
export function ConfigForm({ settings, saved }: Props): ReactNode {
  const [form] = Form.useForm<DeleteConfig>()
  const { busy, refused, run } = useSaving(form)
  useUnsaved(() => form.isFieldsTouched())
  const typed: Partial<DeleteConfig> | undefined = Form.useWatch(values => values, form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const draft = { ...settings.config, ...values, row_version: settings.row_version }
    if (await run(() => call(userDeleteApi.saveConfig, draft, { quiet: true }), '设置成功')) await saved()
  }
  return (
    <Form form={form} initialValues={settings.config} className="delete-config" component="div">
      <div>
        {refused !== null && <Alert className="delete-refused" type="error" showIcon title={refused} />}
        <section aria-label="什么时候删除">
          <h2>什么时候删除</h2>
          <Sentence before="每天夜里自动提出待删除人员" after="（只提出批次，由管理员确认后才会执行）"><Form.Item name="auto_enabled" valuePropName="checked"><Switch aria-label="自动提出" /></Form.Item></Sentence>
          <Sentence before="学生离校" after="天后进入待删除"><Days name={['leave_days', 'student']} label="学生离校天数" max={3650} /></Sentence>
          <Sentence before="教职工离职" after="天后进入待删除"><Days name={['leave_days', 'staff']} label="教职工离职天数" max={3650} /></Sentence>
          <Sentence before="家长不再关联在校学生" after="天后进入待删除"><Days name="parent_idle_days" label="家长天数" max={3650} /></Sentence>
          <Sentence before="确认后保留" after="天，保留期内可以取消"><Days name="hold_days" label="保留期天数" max={90} /></Sentence>
          <Sentence before="只在每天" after="之间执行">
            <Time name={['window', 'from']} label="开始时间" />至<Time name={['window', 'to']} label="结束时间" />
          </Sentence>
        </section>
        <section aria-label="清除和保留">
          <h2>清除和保留</h2>
          <Sentence before="终端须在" after="小时内确认已清除人脸，超时显示为异常"><Days name="biometric_hours" label="终端确认小时数" min={1} max={24} /></Sentence>
          <Sentence before="离校人员的学籍档案保留" after="年（0 表示长期保留）"><Days name="archive_years" label="档案保留年数" max={100} /></Sentence>
        </section>
        <section aria-label="删除前检查">
          <h2>删除前检查</h2>
          <Form.Item name="checks" noStyle><ChecksTable items={settings.items} /></Form.Item>
        </section>
        <section aria-label="操作人员">
          <h2>操作人员</h2>
          <Form.Item name="operator_user_ids" extra="不选择时，所有有“删除人员”权限的管理员都可以操作"><OperatorSelect known={settings.operators} /></Form.Item>
        </section>
        <Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>
      </div>
      <DueFigure config={{ ...settings.config, ...typed }} />
    </Form>
  )
}

function Sentence({ before, after, children }: { before: string; after: string; children: ReactNode }): ReactNode {
  return <div className="delete-sentence"><span>{before}</span>{children}<span>{after}</span></div>
}

type Name = string | string[]

function Days({ name, label, min = 0, max }: { name: Name; label: string; min?: number; max: number }): ReactNode {
  return (
    <Form.Item name={name} rules={[{ required: true, message: '请填写' }, wholeRule(min, max)]}>
      <InputNumber aria-label={label} precision={0} parser={readNumber} />
    </Form.Item>
  )
}

function Time({ name, label }: { name: Name; label: string }): ReactNode {
  return (
    <Form.Item name={name} rules={[{ required: true, pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/, message: '例如 01:00' }]}>
      <Input aria-label={label} className="delete-time" maxLength={5} />
    </Form.Item>
  )
}
