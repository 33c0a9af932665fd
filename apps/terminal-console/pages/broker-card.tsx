import { brokerAddress, brokerParts } from '@kit/terminal-protocol/console'
import type { BrokerParts, ConnectionStep, ConnectionTest, SettingsAnswer } from '@kit/terminal-protocol/console'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Field, NumberField, Switch, TextField } from '../form/fields.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { useGroup } from '../form/use-group.ts'
import { ask } from '../shell/ask.ts'
import { Button, Card, Tag } from '../shell/parts.tsx'
import { useWork } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'

const address = 'mqtt.addr'
const usual = { host: '', port: 1883, tls: false }
const tones = { ok: 'good', failed: 'bad', skipped: 'past' } as const

/** Where the broker is and who this terminal is to it. */
export function BrokerCard({ answer, onSaved }: { answer: SettingsAnswer; onSaved: (answer: SettingsAnswer) => void }): ReactNode {
  const { t } = useWords()
  const form = useGroup('mqtt', answer, onSaved)
  const { is_busy, work } = useWork()
  const [steps, setSteps] = useState<readonly ConnectionStep[]>([])
  // An address that is being typed is no address yet: its parts are kept as they are typed.
  const [typed, setTyped] = useState<BrokerParts>()
  const parts = typed ?? brokerParts(String(form.value(address))) ?? usual
  const type = (part: Partial<BrokerParts>) => {
    const next = { ...parts, ...part }
    setTyped(next)
    form.set(address, next.host === '' ? '' : brokerAddress(next))
  }
  const test = () => work(async () => {
    setSteps([])
    setSteps((await ask<ConnectionTest>('POST', 'connection-test', { values: form.values })).steps)
  })
  return (
    <Card title={t('online.broker')} note={t('online.save_note')}>
      <Field label={t('online.host')} fault={form.fault(address)}>{tied => <input {...tied} spellCheck={false} value={parts.host} onChange={event => type({ host: event.target.value.trim() })} />}</Field>
      <Field label={t('online.port')}>{tied => <input {...tied} type="number" min={1} max={65_535} value={parts.port} onChange={event => type({ port: Number(event.target.value) })} />}</Field>
      <Switch label={t('online.tls')} is_on={parts.tls} onTurn={tls => type({ tls })} />
      <Field label={t('online.client_id')}>{tied => <input {...tied} readOnly value={answer.client_id} />}</Field>
      <TextField form={form} of="mqtt.username" label="online.username" />
      <TextField form={form} of="mqtt.secret" label="online.secret" kind="password" />
      <TextField form={form} of="mqtt.prefix" label="online.prefix" />
      <Field label={t('online.qos')}>{tied => <input {...tied} readOnly value={1} />}</Field>
      <NumberField form={form} of="mqtt.keepAlive" label="online.keep_alive" />
      <NumberField form={form} of="mqtt.heartbeat" label="online.heartbeat" />
      <SaveButton form={form}><Button disabled={is_busy} onClick={() => void test()}>{t(is_busy ? 'online.testing' : 'online.test')}</Button></SaveButton>
      <p className="note">{t('online.test_note')}</p>
      <ol className="steps" aria-live="polite">
        {steps.map(({ name, state, ms, detail }) => (
          <li key={name}><span>{t(`step.${name}`)}</span><Tag kind={tones[state]}>{t(`step.${state}`)}</Tag>{state !== 'skipped' && <span className="note">{`${detail} ${t('debug.ms', { n: ms })}`}</span>}</li>
        ))}
      </ol>
    </Card>
  )
}
