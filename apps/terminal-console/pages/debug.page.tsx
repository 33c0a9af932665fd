import type { Debug } from '@kit/terminal-protocol/console'
import { part_tests } from '@kit/terminal-protocol/console'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { ChoiceField, Switch } from '../form/fields.tsx'
import { SaveButton } from '../form/save-button.tsx'
import { useGroup } from '../form/use-group.ts'
import { ask } from '../shell/ask.ts'
import { clockOf } from '../shell/format.ts'
import { Away, Button, Card, Fact, Waiting } from '../shell/parts.tsx'
import { say } from '../shell/toast.tsx'
import { useWatched, useWork } from '../shell/use-work.ts'
import { useWords } from '../words/words.ts'
import { DiagnosisCard } from './diagnosis-card.tsx'
import { SystemCard } from './system-card.tsx'
import { useSettings } from './use-settings.ts'

const [every_ms, minute_s, first_messages] = [2000, 60, 20]

/** What a technician needs who stands before a terminal that does not do what it should. */
export function DebugPage({ sn, onRestart }: { sn: string; onRestart: () => void }): ReactNode {
  const fetchIt = useCallback(() => ask<Debug>('GET', 'debug'), [])
  const { data, is_away, again } = useWatched(fetchIt, every_ms)
  if (!data) return is_away ? <Away onAgain={again} /> : <Waiting />
  return (
    <>
      {is_away && <Away onAgain={again} />}
      <div className="cards cards-two">
        <AdbCard adb={data.adb} onChanged={again} />
        <DiagnosisCard />
        <PartsCard />
        <CaptureCard capture={data.capture} />
        <LogCard />
        <SystemCard sn={sn} onRestart={onRestart} />
        <MessagesCard messages={data.messages} />
      </div>
    </>
  )
}

function AdbCard({ adb, onChanged }: { adb: Debug['adb']; onChanged: () => void }): ReactNode {
  const { t } = useWords()
  const { work } = useWork()
  const turn = async (on: boolean) => {
    await work(() => ask('POST', 'debug/adb', { on }))
    onChanged()
  }
  return (
    <Card title={t('debug.adb')}>
      <Switch label={t('debug.adb_switch')} is_on={adb.on} onTurn={on => void turn(on)} aria-describedby="adb-warning" />
      <p id="adb-warning" className="warning">{t('debug.adb_warning')}</p>
      {adb.seconds !== null && <p>{t('debug.adb_left', { m: Math.floor(adb.seconds / minute_s), s: adb.seconds % minute_s })}</p>}
    </Card>
  )
}

function PartsCard(): ReactNode {
  const { t } = useWords()
  const { is_busy, work } = useWork()
  const run = async (part: (typeof part_tests)[number]) => {
    const refused = await work(() => ask('POST', 'debug/part', { part }))
    if (!refused) say(t('debug.started', { part: t(`part.${part}`) }))
  }
  return (
    <Card title={t('debug.parts')}>
      <div className="buttons buttons-left">{part_tests.map(part => <Button key={part} disabled={is_busy} onClick={() => void run(part)}>{t(`part.${part}`)}</Button>)}</div>
    </Card>
  )
}

function CaptureCard({ capture: { card, face } }: { capture: Debug['capture'] }): ReactNode {
  const { t } = useWords()
  return (
    <Card title={t('debug.capture')}>
      <dl>
        <Fact name={t('debug.card')}>{card ? `${card.uid} · ${clockOf(card.at)}` : t('debug.none')}</Fact>
        <Fact name={t('debug.face')}>{face ? `${face.name || t('dash.stranger')} · ${clockOf(face.at)}` : t('debug.none')}</Fact>
      </dl>
    </Card>
  )
}

function LogCard(): ReactNode {
  const { t } = useWords()
  const { answer, keep } = useSettings()
  return (
    <Card title={t('debug.log')} note={t('debug.log_note')}>
      {answer && <LogLevel answer={answer} onSaved={keep} />}
    </Card>
  )
}

function LogLevel({ answer, onSaved }: { answer: Parameters<typeof useGroup>[1]; onSaved: Parameters<typeof useGroup>[2] }): ReactNode {
  const { t } = useWords()
  const form = useGroup('sys', answer, onSaved)
  return (
    <>
      <ChoiceField form={form} of="sys.log_level" />
      <SaveButton form={form}><a className="button" href="/api/debug/log" download>{t('do.download')}</a></SaveButton>
    </>
  )
}

function MessagesCard({ messages }: { messages: Debug['messages'] }): ReactNode {
  const { t } = useWords()
  const [is_all, setAll] = useState(false)
  const shown = messages.slice(0, is_all ? messages.length : first_messages)
  return (
    <Card title={t('debug.messages')} wide>
      {messages.length === 0 && <p className="note">{t('debug.no_messages')}</p>}
      {messages.length > 0 && (
        <>
          <table>
            <thead><tr><th>{t('dash.when')}</th><th>{t('debug.direction')}</th><th>{t('debug.type')}</th><th>{t('debug.content')}</th></tr></thead>
            <tbody>
              {shown.map(({ at, direction, type, text }, index) => <tr key={`${at} ${messages.length - index}`}><td>{clockOf(at)}</td><td>{t(`debug.${direction}`)}</td><td>{type}</td><td className="code">{text}</td></tr>)}
            </tbody>
          </table>
          {shown.length < messages.length && <div><Button onClick={() => setAll(true)}>{t('debug.all', { n: messages.length })}</Button></div>}
        </>
      )}
    </Card>
  )
}
