import type { PasswordSetRow } from '@campus/identity/contract'
import { confirmDanger, mayDiscard, useSaving } from '@kit/web'
import { Alert, Button, Form } from 'antd'
import type { ReactNode } from 'react'
import { RuleLine } from './rule-line.tsx'
import { changedLines, isShown, sections, valuesOf } from './rule-words.ts'
import type { RuleValues } from './rule-words.ts'
import { askEffect, saveRule, useMay } from './use-rule.ts'

/** A count is answered sooner than a spinner has turned once. */
const spin_after_ms = 300

/** The rule with what each line does; before it is saved whoever it touches is counted. */
export function RuleForm({ row, refresh }: { row: PasswordSetRow; refresh: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<RuleValues>()
  const { busy, refused, run } = useSaving(form)
  const may = useMay()
  const before = valuesOf(row)
  const typed = { ...before, ...Form.useWatch([], form) }
  const changed = changedLines(before, typed)
  const save = async () => {
    const values: RuleValues = { ...before, ...(await form.validateFields()) }
    const found: Awaited<ReturnType<typeof askEffect>>[] = []
    if (!(await run(async () => found.push(await askEffect(row, values))))) return
    const touches = found.flatMap(({ effect, sentence }) => (effect.newly + effect.unknown > 0 ? (sentence ?? []) : []))
    if (touches.length > 0 && !(await confirmDanger({ title: '保存后会有以下影响', touches, ok: '保存' }))) return
    if (await run(() => saveRule(row, values), '设置成功')) await refresh()
  }
  const discard = async () => {
    if (!(await mayDiscard())) return
    form.resetFields()
    await refresh()
  }
  return (
    <Form form={form} name="password-rule" colon={false} className="pwd-form" initialValues={before} onFinish={() => void save()} scrollToFirstError>
      {refused !== null && <Alert type="warning" showIcon title={refused} action={<Button size="small" onClick={() => void discard()}>重新读取</Button>} />}
      {sections.map(({ title, lines }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {lines.filter(line => isShown(line.key, typed)).map(line => (
            <RuleLine key={line.key} line={line} values={typed} is_changed={changed.includes(line.key)} disabled={line.key === 'is_password_strong' ? !may.strong : !may.edit} />
          ))}
        </section>
      ))}
      {may.edit && (
        <footer>
          <Button type="primary" htmlType="submit" loading={busy && { delay: spin_after_ms }}>保存</Button>
          {changed.length > 0 && <Button onClick={() => void discard()}>放弃修改</Button>}
          <span className="pwd-hint" aria-live="polite">{changed.length > 0 ? `已修改${changed.length}项，尚未保存` : ''}</span>
        </footer>
      )}
    </Form>
  )
}
