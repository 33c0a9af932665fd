import type { SettingsAnswer } from '@kit/terminal-protocol/console'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { ChoiceField, TextField } from '../form/fields.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { useGroup } from '../form/use-group.ts'
import { ask } from '../shell/ask.ts'
import { Button, Card } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useWork } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'

const names = ['type', 'dhcp', 'ip', 'mask', 'gateway', 'dns', 'ssid', 'psk'] as const
const [wifi, fixed, second_ms] = [2, 1, 1000]
type Props = { answer: SettingsAnswer; onSaved: (answer: SettingsAnswer) => void; onAgain: () => void }

/** How the terminal is in the network. A wrong address would lock everybody out: what is saved is tried first. */
export function NetworkCard({ answer, onSaved, onAgain }: Props): ReactNode {
  const { t } = useWords()
  const form = useGroup('net', answer, onSaved, { names, path: 'network', said: false })
  return (
    <Card title={t('net.title')} note={t('net.note')}>
      <ChoiceField form={form} of="net.type" words={{ 1: 'net.wired', 2: 'net.wifi', 4: 'net.mobile' }} />
      {form.value('net.type') === wifi && (
        <>
          <TextField form={form} of="net.ssid" label="net.ssid" />
          <TextField form={form} of="net.psk" label="net.psk" kind="password" />
        </>
      )}
      <ChoiceField form={form} of="net.dhcp" words={{ 1: 'net.static', 2: 'net.auto' }} />
      {form.value('net.dhcp') === fixed && (
        <>
          <TextField form={form} of="net.ip" label="net.ip" />
          <TextField form={form} of="net.mask" label="net.mask" />
          <TextField form={form} of="net.gateway" label="net.gateway" />
        </>
      )}
      <TextField form={form} of="net.dns" label="net.dns" hint={t('net.dns_hint')} />
      <SaveButton form={form} />
      {answer.trial_seconds !== null && <Trial seconds={answer.trial_seconds} onSaved={onSaved} onAgain={onAgain} />}
    </Card>
  )
}

/** The minute in which somebody says that he can still reach the terminal. */
function Trial({ seconds, onSaved, onAgain }: { seconds: number } & Pick<Props, 'onSaved' | 'onAgain'>): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const until = Date.now() + seconds * second_ms
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / second_ms))), second_ms)
    return () => clearInterval(timer)
  }, [seconds])
  useEffect(() => {
    if (left > 0) return
    say(t('net.fell_back'), true)
    onAgain()
  }, [left, onAgain, t])
  const end = (how: 'confirm' | 'back') => work(async () => {
    onSaved(await ask<SettingsAnswer>('POST', `network/${how}`))
    say(t(how === 'confirm' ? 'say.saved' : 'net.fell_back'))
  })
  return (
    <div className="trial" role="alert">
      <p>{t('net.trial', { n: left })}</p>
      <div className="buttons"><Button disabled={is_busy} onClick={() => void end('back')}>{t('net.back')}</Button><Button kind="first" disabled={is_busy} onClick={() => void end('confirm')}>{t('net.keep')}</Button></div>
    </div>
  )
}
