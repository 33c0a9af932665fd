import { configApi, ConfigValues, schoolApi } from '@campus/school/contract'
import type { ConfigEffect, ConfigKey } from '@campus/school/contract'
import type { Reply } from '@kit/contract'
import { call, confirmDanger, mayDiscard, readStored, ruleOf, usePage, useSaving } from '@kit/web'
import { Alert, Button, Form, Input, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { settings } from './config-words.ts'
import type { Setting } from './config-words.ts'
import { useLoaded } from './use-loaded.tsx'

type Config = Reply<typeof schoolApi.config>

/** 系统配置: every setting with what it does, and before saving whom it will touch. */
export function ConfigTab(): ReactNode {
  const { data, instead, ready, refresh } = useLoaded(schoolApi.config, { id: Number(readStored('school_id')) })
  if (!data) return <div className="record-card" data-ready={ready}>{instead}</div>
  return <div data-ready={ready}><ConfigForm key={data.config_version} config={data} refresh={refresh} /></div>
}

function ConfigForm({ config, refresh }: { config: Config; refresh: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<Config>()
  const { busy, refused, run } = useSaving(form)
  const typed = Form.useWatch([], form)
  const changed = changesOf(config, typed ?? config)
  const send = (dry: 0 | 1, values: Partial<ConfigValues>) => call(configApi.update, { id: Number(readStored('school_id')), config_version: config.config_version, dry, values }, { quiet: true })
  const save = async () => {
    const values = ConfigValues.partial().parse(changesOf(config, await form.validateFields()))
    const effects: ConfigEffect[] = []
    if (!(await run(async () => effects.push(...(await send(1, values)).effects)))) return
    if (effects.length > 0 && !(await confirmDanger({ title: '保存后会有以下影响', touches: effectText(effects), ok: '保存' }))) return
    if (await run(() => send(0, values), '设置成功')) await refresh()
  }
  const discard = async () => {
    if (!(await mayDiscard())) return
    form.resetFields()
    await refresh()
  }
  const count = Object.keys(changed).length
  return (
    <Form form={form} name="school-config" colon={false} className="record-card record-form" initialValues={config} onFinish={() => void save()} scrollToFirstError>
      {refused !== null && <Alert type="warning" showIcon title={refused} action={<Button size="small" onClick={() => void discard()}>重新读取</Button>} />}
      {settings.map(({ title, list }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {list.map(setting => <SettingLine key={setting.key} setting={setting} is_changed={setting.key in changed} />)}
        </section>
      ))}
      <footer>
        <Button type="primary" htmlType="submit" loading={busy}>保存</Button>
        {count > 0 && <Button onClick={() => void discard()}>放弃修改</Button>}
        <span className="record-hint" aria-live="polite">{count > 0 ? `已修改${count}项，尚未保存` : ''}</span>
      </footer>
    </Form>
  )
}

function SettingLine({ setting, is_changed }: { setting: Setting; is_changed: boolean }): ReactNode {
  const { key, label, effect, input } = setting
  const { search } = usePage()
  const is_sought = search.field === key
  return (
    <div className="record-setting" data-changed={is_changed} data-sought={is_sought} ref={is_sought ? intoView : undefined}>
      <Form.Item name={key} label={label} extra={effect} rules={[ruleOf(ConfigValues.shape[key])]}>{inputOf(input)}</Form.Item>
    </div>
  )
}

/** Somebody came for this very setting. */
function intoView(line: HTMLElement | null): void {
  line?.scrollIntoView({ block: 'center' })
  line?.querySelector('input')?.focus({ preventScroll: true })
}

function inputOf(input: Setting['input']): ReactNode {
  if (input === 'text') return <Input allowClear />
  if (input === 'roles') return <Select mode="tags" tokenSeparators={[',', '，', ' ']} open={false} suffixIcon={null} />
  return <Radio.Group options={input.map(({ value, label }) => ({ value, label }))} />
}

/** The values that differ; an emptied box and nothing are the same. */
function changesOf(config: Config, typed: Partial<Config>): Partial<Record<ConfigKey, unknown>> {
  const known: Record<string, unknown> = config
  const plain = (value: unknown) => JSON.stringify(value === '' || value === undefined ? null : value)
  return Object.fromEntries(Object.entries(typed).filter(([key, value]) => plain(value) !== plain(known[key])).map(([key, value]) => [key, value ?? null]))
}

function effectText(effects: readonly ConfigEffect[]): string {
  return effects.map(({ text }) => text).join('；')
}
