import type { Fault, Names, Ping } from '@kit/terminal-protocol/console'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask } from '../shell/ask.ts'
import { Button, Card } from '../shell/parts.tsx'
import { useWork } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'

/** Whether a machine is reached from the terminal, and what its name comes to there. */
export function DiagnosisCard(): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const [host, setHost] = useState('')
  const [fault, setFault] = useState<Fault>()
  const [lines, setLines] = useState<readonly string[]>([])
  const run = async (task: () => Promise<readonly string[]>) => {
    setLines([])
    const refused = await work(async () => setLines(await task()))
    setFault(refused?.find(one => one.key === 'host'))
  }
  const ping = () => run(async () => (await ask<Ping>('POST', 'debug/ping', { host })).tries.map(({ ms }) => (ms === null ? t('debug.lost') : t('debug.ms', { n: ms }))))
  const resolve = () => run(async () => {
    const { addresses } = await ask<Names>('POST', 'debug/dns', { host })
    return addresses.length > 0 ? addresses : [t('debug.no_address')]
  })
  return (
    <Card title={t('debug.network')} note={t('debug.ping_note')}>
      <Field label={t('debug.host')} fault={fault && faultText(t, fault)}>{tied => <input {...tied} spellCheck={false} value={host} onChange={event => setHost(event.target.value.trim())} />}</Field>
      <div className="buttons buttons-left"><Button disabled={is_busy} onClick={() => void ping()}>{t('debug.ping')}</Button><Button disabled={is_busy} onClick={() => void resolve()}>{t('debug.dns')}</Button></div>
      <ul className="lines" aria-live="polite">{lines.map((line, at) => <li key={at}>{line}</li>)}</ul>
    </Card>
  )
}
