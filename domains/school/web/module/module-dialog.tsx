import { moduleApi } from '@campus/school/contract'
import type { ModuleLine, ModuleList, SubAppDraft } from '@campus/school/contract'
import { AppModal, call, CallError, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Button, DatePicker, Form, Switch } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { endAfter, lastDay, periodLines } from './module-words.ts'
import { SubAppFields } from './sub-app-fields.tsx'

type ModuleValues = { enabled: boolean; valid_from: Dayjs; last_day: Dayjs | null; sub_app: SubAppDraft }

type Props = { line: ModuleLine; modules: ModuleList; onClose: () => void; onSaved: () => Promise<unknown>; refresh: () => Promise<unknown> }
const conflict = 409

/** From when until when a module may be used, and how a sub-application is opened. */
export function ModuleDialog({ line, modules: { nav_version, today }, onClose, onSaved, refresh }: Props): ReactNode {
  const [form] = Form.useForm<ModuleValues>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { enabled, valid_from, last_day, sub_app } = values
    const draft = { nav_version, module_code: line.module_code, enabled, valid_from: valid_from.format('YYYY-MM-DD'), valid_to: last_day && enabled ? endAfter(last_day.format('YYYY-MM-DD')) : null }
    const send = () => call(moduleApi.save, { ...draft, ...(line.sub_app ? { sub_app: sent(sub_app) } : {}) }, { quiet: true })
    // What was typed stays: the version is read again behind the dialog, so that the next 保存 is an answer to the newest state.
    const told = async () => {
      try {
        await send()
      } catch (cause) {
        if (cause instanceof CallError && cause.status === conflict) await refresh()
        throw cause
      }
    }
    if (await run(told, '设置成功')) await onSaved()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const lines = periodLines(line)
  return (
    <AppModal open width={640} title={`设置：${line.title}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="module" layout="vertical" initialValues={valuesOf(line, today)}>
        <div className="nav-dates">
          <Form.Item name="enabled" label="开通" valuePropName="checked"><Switch /></Form.Item>
          <Form.Item name="valid_from" label="自" rules={[{ required: true, message: '请选择开始日期' }]} extra="此日之前保持不变"><DatePicker className="kit-fill" allowClear={false} minDate={dayjs(today)} /></Form.Item>
          <Form.Item noStyle dependencies={['enabled', 'valid_from']}>
            {({ getFieldValue }) => (
              <Form.Item name="last_day" label="至（含）" extra={getFieldValue('enabled') === true ? '不选为长期' : '停用至重新开通'}>
                <DatePicker className="kit-fill" placeholder="长期" disabled={getFieldValue('enabled') !== true} minDate={dayjs(today)} />
              </Form.Item>
            )}
          </Form.Item>
        </div>
        {line.sub_app && <SubAppFields has_secret={line.sub_app.secret !== null} built={line.sub_app.built} rule={ruleOf} />}
      </Form>
      {lines.length > 0 && <details className="nav-periods"><summary>{`时间段记录（${lines.length}）`}</summary><ul>{lines.map(text => <li key={text}>{text}</li>)}</ul></details>}
      {line.periods.length > 0 && <Button size="small" onClick={() => form.setFieldsValue({ enabled: true, valid_from: dayjs(today), last_day: null })}>设为长期开通</Button>}
    </AppModal>
  )
}

function valuesOf({ state, periods, sub_app }: ModuleLine, today: string): ModuleValues {
  const last = periods.at(-1)
  const from = last && last.valid_from > today ? last.valid_from : today
  const end = last?.enabled === true && last.valid_to !== null && last.valid_to > today ? lastDay(last.valid_to) : null
  const setting = { sub_app_url: sub_app?.sub_app_url ?? null, token_url: sub_app?.token_url ?? null, sign_mode: sub_app?.sign_mode ?? 'hmac', frame_origins: sub_app?.frame_origins ?? [], entry_open: sub_app?.entry_open ?? true }
  return { enabled: state !== 'off', valid_from: dayjs(from), last_day: end === null ? null : dayjs(end), sub_app: setting }
}

/** An empty field of the secret says nothing of it. */
function sent({ secret, ...rest }: SubAppDraft): SubAppDraft {
  return secret === '' || secret === undefined ? rest : { ...rest, secret }
}
