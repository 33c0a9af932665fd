import type { Fault } from '@kit/terminal-protocol/console'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Field } from '../form/fields.tsx'
import { ask } from '../shell/ask.ts'
import { Button, Card, Question } from '../shell/parts.tsx'
import { useWork } from '../shell/use-work.ts'
import { faultText, useWords } from '../words/words.ts'

/** Restarting the terminal, and losing everything it holds; the latter takes its serial number. */
export function SystemCard({ sn, onRestart }: { sn: string; onRestart: () => void }): ReactNode {
  const { t } = useWords()
  const { work } = useWork()
  const [asked, setAsked] = useState<'restart' | 'reset'>()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<Fault>()
  const leave = () => {
    setAsked(undefined)
    setTyped('')
    setFault(undefined)
  }
  const run = async (path: 'restart' | 'reset') => {
    const refused = await work(() => ask('POST', path, path === 'reset' ? { sn: typed } : {}))
    setFault(refused?.find(one => one.key === 'sn'))
    if (refused) return
    leave()
    onRestart()
  }
  return (
    <Card title={t('debug.system')}>
      <div className="buttons buttons-left"><Button onClick={() => setAsked('restart')}>{t('debug.restart')}</Button><Button kind="danger" onClick={() => setAsked('reset')}>{t('debug.reset')}</Button></div>
      {asked === 'restart' && <Question text={t('say.reboot')} onNo={leave} onYes={() => void run('restart')} />}
      {asked === 'reset' && (
        <Question text={t('say.reset')} is_danger onNo={leave} onYes={() => void run('reset')}>
          <Field label={`${t('info.sn')} ${sn}`} fault={fault && faultText(t, fault)}>{tied => <input {...tied} autoComplete="off" spellCheck={false} value={typed} onChange={event => setTyped(event.target.value)} />}</Field>
        </Question>
      )}
    </Card>
  )
}
